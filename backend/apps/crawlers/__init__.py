"""Crawlers: where and how to crawl with a template."""
