"""Crawlers over REST."""
