"""How a document gets its score."""
