"""The query language: from what a person types to a meaning that any index can run."""
