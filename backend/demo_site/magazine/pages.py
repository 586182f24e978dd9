"""The pages of the magazine."""

from collections.abc import Sequence

from backend.demo_site.catalogue.articles import Article, Section, all_articles
from backend.demo_site.catalogue.names import slugify
from backend.demo_site.catalogue.stories import TOPICS, Topic
from backend.demo_site.dates import format_date
from backend.demo_site.markup import Markup, fill
from backend.demo_site.paging import Paged, page_links, page_path
from backend.demo_site.shop.structured_data import json_ld

NAME = "The Slow Signal"
HOME = "/magazine/"
ARCHIVE = "/magazine/archive"
ARTICLES_PER_PAGE = 20
_ON_HOME = 9
_RELATED = 3

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} | {name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{description}">
<link rel="canonical" href="{canonical}">
<link rel="alternate" type="application/rss+xml" href="/magazine/feed.xml" title="{name}">
<link rel="stylesheet" href="/assets/magazine.css">
{head}</head>
<body>
<header><a class="masthead" href="/magazine/">{name}</a><p>Notes on things that last</p>
<nav>{topics}<a href="/magazine/archive">Archive</a></nav></header>
<main>
{body}</main>
<footer><p>{name} is written by a seeded generator. <a href="/magazine/archive">All {count} articles</a> ·
<a href="/magazine/feed.xml">Feed</a></p></footer>
</body>
</html>
"""
_TEASER = """<article class="teaser">
<a href="{path}"><img src="{image}" alt="" width="320" height="200" loading="lazy"></a>
<p class="kicker"><a href="{topic_path}">{topic}</a></p>
<h2><a href="{path}">{title}</a></h2>
<p class="standfirst">{standfirst}</p>
<p class="byline">by <a href="{author_path}">{author}</a>, {published}</p>
</article>
"""
_ARTICLE = """<article class="story">
<p class="kicker"><a href="{topic_path}">{topic}</a></p>
<h1>{title}</h1>
<p class="standfirst">{standfirst}</p>
<p class="byline">By <a class="author" rel="author" href="{author_path}">{author}</a> · {published} ·
<span class="minutes">{minutes} min read</span></p>
<img class="lead" src="{image}" alt="" width="960" height="420">
<div class="body">
{sections}</div>
<p class="tags">{tags}</p>
</article>
<aside class="related"><h2>Read on</h2>
<div class="teasers">{related}</div></aside>
"""


def article_path(article: Article) -> str:
    return f"/magazine/{article.published:%Y/%m}/{article.slug}"


def image_path(article: Article) -> str:
    return f"/magazine/img/{article.slug}.svg"


def topic_path(topic: Topic) -> str:
    return f"/magazine/topic/{topic.slug}"


def author_path(author: str) -> str:
    return f"/magazine/author/{slugify(author)}"


def tag_path(tag: str) -> str:
    return f"/magazine/tag/{tag}"


def published_text(article: Article) -> str:
    """The day, in the style its editor likes."""
    return format_date(article.published, article.date_style)


def magazine_page(title: str, body: Markup, *, path: str, description: str, head: Markup | None = None) -> Markup:
    """A whole page of the magazine; `path` is its canonical address."""
    topics = [fill('<a href="{path}">{title}</a> ', path=topic_path(topic), title=topic.title) for topic in TOPICS]
    return fill(
        _PAGE,
        title=title,
        name=NAME,
        description=description,
        canonical=path,
        head=head,
        topics=topics,
        body=body,
        count=len(all_articles()),
    )


def home_page() -> Markup:
    """The newest articles."""
    body = _teasers(all_articles()[:_ON_HOME])
    return magazine_page("Notes on things that last", body, path=HOME, description="A magazine about things that last.")


def list_page(title: str, path: str, page: Paged[Article]) -> Markup:
    """A list of articles: the archive, a topic, an author, a tag."""
    body = fill(
        "<h1>{title}</h1>\n{teasers}{links}", title=title, teasers=_teasers(page.items), links=page_links(path, page)
    )
    numbered = title if page.number == 1 else f"{title}, page {page.number}"
    return magazine_page(numbered, body, path=page_path(path, page.number), description=f"Articles: {title}.")


def article_page(article: Article) -> Markup:
    """One article; every other one has its facts as JSON-LD, too."""
    body = fill(
        _ARTICLE,
        topic_path=topic_path(article.topic),
        topic=article.topic.title,
        title=article.title,
        standfirst=article.standfirst,
        author_path=author_path(article.author),
        author=article.author,
        published=_time(article),
        minutes=article.reading_minutes,
        image=image_path(article),
        sections=[_section(section) for section in article.sections],
        tags=[fill('<a rel="tag" href="{path}">{tag}</a> ', path=tag_path(tag), tag=tag) for tag in article.tags],
        related=[_teaser(other) for other in related_articles(article)],
    )
    head = json_ld(article_data(article)) if article.number % 2 else None
    return magazine_page(article.title, body, path=article_path(article), description=article.standfirst, head=head)


def article_data(article: Article) -> dict[str, object]:
    """The article in the words of schema.org."""
    return {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": article.title,
        "datePublished": article.published.isoformat(),
        "author": {"@type": "Person", "name": article.author},
        "articleSection": article.topic.title,
        "keywords": list(article.tags),
    }


def related_articles(article: Article) -> list[Article]:
    """Others of the same topic, the next ones in time, round the end."""
    same = [other for other in all_articles() if other.topic is article.topic]
    place = same.index(article)
    return [same[(place + step) % len(same)] for step in range(1, _RELATED + 1)]


def _time(article: Article) -> Markup:
    """Two of three articles say the day for machines, too."""
    if article.number % 3 == 0:
        return fill('<span class="date">{text}</span>', text=published_text(article))
    iso = article.published.isoformat()
    return fill('<time class="date" datetime="{iso}">{text}</time>', iso=iso, text=published_text(article))


def _section(section: Section) -> Markup:
    heading = fill("<h2>{text}</h2>\n", text=section.heading) if section.heading else None
    paragraphs = [fill("<p>{text}</p>\n", text=text) for text in section.paragraphs]
    return fill("{heading}{paragraphs}", heading=heading, paragraphs=paragraphs)


def _teasers(articles: Sequence[Article]) -> Markup:
    return fill('<div class="teasers">\n{teasers}</div>\n', teasers=[_teaser(article) for article in articles])


def _teaser(article: Article) -> Markup:
    return fill(
        _TEASER,
        path=article_path(article),
        image=image_path(article),
        topic_path=topic_path(article.topic),
        topic=article.topic.title,
        title=article.title,
        standfirst=article.standfirst,
        author_path=author_path(article.author),
        author=article.author,
        published=published_text(article),
    )
