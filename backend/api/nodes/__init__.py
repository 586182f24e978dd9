"""Nodes over REST."""
