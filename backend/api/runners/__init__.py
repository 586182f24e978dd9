"""Runners and their logs over REST."""
