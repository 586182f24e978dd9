"""From a fetched page to documents: selectors, types, clean-up, templates; one code for crawl, preview and tests."""
