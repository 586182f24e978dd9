"""Pages, documents and their versions over REST."""
