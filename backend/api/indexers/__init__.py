"""Indexers and dictionaries over REST."""
