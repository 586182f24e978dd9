"""Indexers: search indexes over chosen inspectors, and the dictionaries that feed suggestions."""
