"""The exact documents of the magazine."""

from collections.abc import Iterator

from backend.demo_site.catalogue.articles import Article, all_articles
from backend.demo_site.catalogue.stories import TOPICS
from backend.demo_site.magazine.pages import (
    ARCHIVE,
    ARTICLES_PER_PAGE,
    HOME,
    article_path,
    author_path,
    image_path,
    published_text,
    tag_path,
    topic_path,
)
from backend.demo_site.paging import page_count, page_path
from backend.demo_site.truth.expected import (
    DocumentKind,
    ExpectedDocument,
    ExpectedField,
    FieldRule,
    FieldType,
    day,
    link,
    number,
    text,
    texts,
)

ARTICLE_RULES = {
    "title": FieldRule("//article[@class='story']/h1"),
    "standfirst": FieldRule("//article[@class='story']/p[@class='standfirst']"),
    "author": FieldRule("//a[@class='author']"),
    "published": FieldRule("//*[@class='date']", FieldType.DATE),
    "minutes": FieldRule("//span[@class='minutes']", FieldType.NUMBER),
    "topic": FieldRule("//article[@class='story']/p[@class='kicker']/a"),
    "tags": FieldRule("//p[@class='tags']/a", multiple=True),
    "headings": FieldRule("//div[@class='body']/h2", multiple=True),
    "lead": FieldRule("//div[@class='body']/p[1]"),
    "image": FieldRule("//img[@class='lead']", FieldType.IMAGE, "src"),
}


def article_fields(article: Article) -> dict[str, ExpectedField]:
    """What the page of an article shows."""
    return {
        "title": text(article.title),
        "standfirst": text(article.standfirst),
        "author": text(article.author),
        "published": day(published_text(article), article.published),
        "minutes": number(f"{article.reading_minutes} min read", article.reading_minutes),
        "topic": text(article.topic.title),
        "tags": texts(article.tags),
        "headings": texts(article.headings),
        "lead": text(article.sections[0].paragraphs[0]),
        "image": link(image_path(article)),
    }


def article_documents() -> list[ExpectedDocument]:
    """One document per article, 200 in all."""
    return [ExpectedDocument(article_path(article), article_fields(article)) for article in all_articles()]


def magazine_pages() -> set[str]:
    """Every HTML page that links lead to from the magazine's home."""
    return {HOME, *map(article_path, all_articles()), *_list_pages()}


def _list_pages() -> Iterator[str]:
    articles = all_articles()
    yield from _numbered(ARCHIVE, len(articles))
    for topic in TOPICS:
        yield from _numbered(topic_path(topic), sum(article.topic is topic for article in articles))
    for author in {article.author for article in articles}:
        yield from _numbered(author_path(author), sum(article.author == author for article in articles))
    for tag in {tag for article in articles for tag in article.tags}:
        yield from _numbered(tag_path(tag), sum(tag in article.tags for article in articles))


def _numbered(path: str, total: int) -> Iterator[str]:
    return (page_path(path, page) for page in range(1, page_count(total, ARTICLES_PER_PAGE) + 1))


MAGAZINE_ARTICLES = DocumentKind("magazine articles", "", ARTICLE_RULES, article_documents)
