"""Templates with their inspectors and action chains over REST."""
