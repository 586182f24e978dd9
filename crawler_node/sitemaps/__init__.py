"""Sitemaps as seeds: XML, index, plain text and feeds, packed or not, of any size in constant memory."""

from crawler_node.sitemaps.reading import SitemapEntry, SitemapError, read_sitemap

__all__ = ["SitemapEntry", "SitemapError", "read_sitemap"]
