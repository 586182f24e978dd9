"""People and the tokens of their programs."""
