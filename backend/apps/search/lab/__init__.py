"""The relevance lab: judged queries, how good settings are on them, and a search for better ones."""
