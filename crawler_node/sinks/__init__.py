"""How what a crawl found is packed for keeping."""

from crawler_node.sinks.packing import PackedLink, pack_links, pack_page, unpack_links, unpack_page

__all__ = ["PackedLink", "pack_links", "pack_page", "unpack_links", "unpack_page"]
