"""The magazine's feed (RSS 2.0)."""

from backend.demo_site.catalogue.articles import Article, all_articles
from backend.demo_site.dates import http_date
from backend.demo_site.magazine.pages import NAME, article_path
from backend.demo_site.markup import Markup, fill

_IN_FEED = 20
_FEED = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>{name}</title><link>{base}/magazine/</link>
<description>Notes on things that last</description>
{items}</channel></rss>
"""
_ITEM = """<item><title>{title}</title><link>{base}{path}</link><guid>{base}{path}</guid>
<pubDate>{published}</pubDate><description>{standfirst}</description></item>
"""


def feed(base: str) -> Markup:
    """The newest articles, with addresses that begin with `base`."""
    return fill(_FEED, name=NAME, base=base, items=[_item(article, base) for article in all_articles()[:_IN_FEED]])


def _item(article: Article, base: str) -> Markup:
    return fill(
        _ITEM,
        title=article.title,
        base=base,
        path=article_path(article),
        published=http_date(article.published),
        standfirst=article.standfirst,
    )
