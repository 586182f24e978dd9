"""What happened lately, for those who watch: collected from what is written anyway, and streamed to open pages."""
