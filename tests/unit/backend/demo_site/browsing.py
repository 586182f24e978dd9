"""Following links as a crawler would, for tests of what can be reached."""

from collections import deque
from urllib.parse import urljoin, urlsplit

import aiohttp
from lxml import html

DISALLOWED = {"/shop/cart", "/markt/warenkorb.php"}


async def links_of(client: aiohttp.ClientSession, path: str) -> set[str]:
    """The addresses on this site that a page links to; nothing for what is not HTML."""
    async with client.get(path) as answer:
        assert answer.status == 200, path
        if answer.content_type != "text/html":
            return set()
        tree = html.document_fromstring(await answer.read())
    found = (urlsplit(urljoin("http://site" + path, href)) for href in tree.xpath("//a/@href"))
    return {link.path + ("?" + link.query if link.query else "") for link in found if link.netloc == "site"}


async def reachable(client: aiohttp.ClientSession, start: str) -> set[str]:
    """Everything that links lead to, without what robots.txt disallows."""
    seen, queue = {start}, deque([start])
    while queue:
        new = await links_of(client, queue.popleft()) - seen - DISALLOWED
        seen |= new
        queue.extend(new)
    return seen
