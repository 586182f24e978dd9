"""The product: web, API, data, search engine, demo site."""
