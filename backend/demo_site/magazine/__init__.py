"""The friendly magazine: 200 articles with authors, topics, tags and dates in several formats."""
