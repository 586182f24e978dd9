"""Pages and documents: what was fetched and what was extracted, with its history."""
