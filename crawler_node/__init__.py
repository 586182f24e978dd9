"""The crawl engine: from a URL to documents; knows no Django."""
