"""The hostile part: what the web does to crawlers, on purpose or not."""
