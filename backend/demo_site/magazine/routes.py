"""Which handler answers which address of the magazine."""

from collections.abc import Sequence

from aiohttp import web

from backend.demo_site.catalogue.articles import Article, all_articles, all_authors
from backend.demo_site.catalogue.names import slugify
from backend.demo_site.catalogue.stories import TOPICS
from backend.demo_site.magazine import pages
from backend.demo_site.magazine.feed import feed
from backend.demo_site.magazine.images import article_picture
from backend.demo_site.paging import cut_page
from backend.demo_site.responses import cached_file, cached_html, not_found


async def show_home(request: web.Request) -> web.Response:
    return cached_html(request, pages.home_page)


def _show_list(request: web.Request, title: str, articles: Sequence[Article]) -> web.Response:
    page = cut_page(articles, request.query.get("page"), pages.ARTICLES_PER_PAGE)
    if not articles or page is None:
        return not_found("There is no such list.")
    return cached_html(request, lambda: pages.list_page(title, request.path, page))


async def show_archive(request: web.Request) -> web.Response:
    return _show_list(request, "Archive", all_articles())


async def show_topic(request: web.Request) -> web.Response:
    slug = request.match_info["slug"]
    title = next((topic.title for topic in TOPICS if topic.slug == slug), "")
    return _show_list(request, title, [article for article in all_articles() if article.topic.slug == slug])


async def show_author(request: web.Request) -> web.Response:
    slug = request.match_info["slug"]
    name = next((author for author in all_authors() if slugify(author) == slug), "")
    return _show_list(request, name, [article for article in all_articles() if article.author == name])


async def show_tag(request: web.Request) -> web.Response:
    tag = request.match_info["tag"]
    return _show_list(request, f"Tag: {tag}", [article for article in all_articles() if tag in article.tags])


async def show_article(request: web.Request) -> web.Response:
    article = next((each for each in all_articles() if pages.article_path(each) == request.path), None)
    if article is None:
        return not_found("There is no such article.")
    return cached_html(request, lambda: pages.article_page(article))


async def show_picture(request: web.Request) -> web.Response:
    slug = request.match_info["slug"]
    article = next((each for each in all_articles() if each.slug == slug), None)
    if article is None:
        return not_found("There is no such picture.")
    return cached_file(request, lambda: article_picture(article), "image/svg+xml")


async def show_feed(request: web.Request) -> web.Response:
    base = f"http://{request.host}"
    return web.Response(text=feed(base), content_type="application/rss+xml")


def add_magazine(app: web.Application) -> None:
    """Serve the magazine under `/magazine/`."""
    app.router.add_get("/magazine/", show_home)
    app.router.add_get("/magazine/archive", show_archive)
    app.router.add_get("/magazine/feed.xml", show_feed)
    app.router.add_get("/magazine/topic/{slug}", show_topic)
    app.router.add_get("/magazine/author/{slug}", show_author)
    app.router.add_get("/magazine/tag/{tag}", show_tag)
    app.router.add_get("/magazine/img/{slug}.svg", show_picture)
    app.router.add_get(r"/magazine/{year:\d{4}}/{month:\d\d}/{slug}", show_article)
