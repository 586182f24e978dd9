"""Sitemaps as seeds: XML, index, plain text and feeds, packed or not, of any size in constant memory."""

from crawler_node.sitemaps.reading import MAX_ENTRIES, SitemapEntry, SitemapError, read_sitemap

__all__ = ["MAX_ENTRIES", "SitemapEntry", "SitemapError", "read_sitemap"]
