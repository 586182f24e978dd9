"""How what a crawl found is packed for keeping."""

from crawler_node.sinks.packing import (
    NO_LINKS,
    LinkColumns,
    PackedLink,
    pack_links,
    pack_page,
    unpack_columns,
    unpack_links,
    unpack_page,
)

__all__ = [
    "NO_LINKS",
    "LinkColumns",
    "PackedLink",
    "pack_links",
    "pack_page",
    "unpack_columns",
    "unpack_links",
    "unpack_page",
]
