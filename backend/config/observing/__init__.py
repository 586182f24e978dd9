"""How operators look at a running Gleaner: whether it lives, whether it is ready, and its numbers."""
