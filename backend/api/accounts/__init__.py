"""People, sessions and tokens over REST."""
