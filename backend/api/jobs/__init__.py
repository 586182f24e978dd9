"""Jobs, placements and transitions over REST."""
