"""Jobs: the units of work that the head node places on nodes."""
