"""Templates: what one kind of document looks like on a page."""
