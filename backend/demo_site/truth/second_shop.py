"""The exact documents of the second shop. Its fields have German names, as its pages do."""

from collections.abc import Iterator

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.dates import DateStyle, format_date
from backend.demo_site.money import Money
from backend.demo_site.paging import page_count
from backend.demo_site.second_shop.articles import Article, all_articles
from backend.demo_site.second_shop.pages import (
    ARTICLES_PER_PAGE,
    HOME,
    article_path,
    articles_of,
    image_path,
    list_path,
)
from backend.demo_site.truth.expected import (
    DocumentKind,
    ExpectedDocument,
    ExpectedField,
    FieldRule,
    FieldType,
    day,
    link,
    number,
    present,
    price,
    text,
)


def _cell(label: str) -> str:
    return f"//table[@class='daten']//td[.='{label}:']/following-sibling::td"


ARTICLE_RULES = {
    "name": FieldRule("//td[@id='inhalt']/h2"),
    "abteilung": FieldRule("//p[@id='pfad']/a[2]"),
    "preis": FieldRule(f"{_cell('Preis')}/b", FieldType.PRICE),
    "uvp": FieldRule(_cell("UVP"), FieldType.PRICE, required=False),
    "hersteller": FieldRule(_cell("Hersteller")),
    "artikelnummer": FieldRule(_cell("Artikelnummer")),
    "ean": FieldRule(_cell("EAN")),
    "bewertung": FieldRule(_cell("Bewertung"), FieldType.NUMBER, required=False),
    "lieferbarkeit": FieldRule(_cell("Lieferbarkeit")),
    "erschienen": FieldRule(_cell("Erschienen"), FieldType.DATE),
    "bild": FieldRule("//table[@class='artikel']//img", FieldType.IMAGE, "src"),
}
ROW_RULES = {
    "name": FieldRule("./td[2]/a"),
    "link": FieldRule("./td[2]/a", FieldType.LINK, "href"),
    "preis": FieldRule("./td[3]/b", FieldType.PRICE),
    "uvp": FieldRule("./td[3]/s", FieldType.PRICE, required=False),
    "lieferbarkeit": FieldRule("./td[4]"),
}


def article_fields(article: Article) -> dict[str, ExpectedField]:
    """What the page of an article shows."""
    product = article.product
    return present(
        {
            **row_fields(article),
            "link": None,
            "abteilung": text(product.category.german_title),
            "hersteller": text(product.brand),
            "artikelnummer": text(str(article.number)),
            "ean": text(product.gtin),
            "bewertung": _rating(article),
            "erschienen": day(format_date(product.released, DateStyle.GERMAN), product.released),
            "bild": link(image_path(article)),
        }
    )


def row_fields(article: Article) -> dict[str, ExpectedField | None]:
    """What a row of a list shows."""
    shown, amount = article.recommended_text, article.recommended
    return {
        "name": text(article.name),
        "link": link(article_path(article)),
        "preis": price(article.price_text, article.price),
        "uvp": price(shown, Money(amount, "EUR")) if shown and amount else None,
        "lieferbarkeit": text(article.availability),
    }


def _rating(article: Article) -> ExpectedField | None:
    rating = article.product.rating
    if rating is None:
        return None
    return number(f"{article.rating_text} von 5 ({len(article.product.reviews)} Stimmen)", rating)


def article_documents() -> list[ExpectedDocument]:
    """One document per article page, 300 in all."""
    return [ExpectedDocument(article_path(article), article_fields(article)) for article in all_articles()]


def row_documents() -> list[ExpectedDocument]:
    """One document per row of the department pages."""
    return [
        ExpectedDocument(list_path(category, 1 + place // ARTICLES_PER_PAGE), present(row_fields(article)))
        for category in CATEGORIES
        for place, article in enumerate(articles_of(category))
    ]


def second_shop_pages() -> set[str]:
    """Every page that links lead to from the second shop's home, but for those robots.txt disallows."""
    return {HOME, "/markt/versand.html", *map(article_path, all_articles()), *_list_pages()}


def _list_pages() -> Iterator[str]:
    for category in CATEGORIES:
        last = page_count(len(articles_of(category)), ARTICLES_PER_PAGE)
        yield from (list_path(category, page) for page in range(1, last + 1))


SECOND_SHOP_ARTICLES = DocumentKind("second shop articles", "", ARTICLE_RULES, article_documents)
SECOND_SHOP_ROWS = DocumentKind("second shop rows", "//table[@class='liste']//tr", ROW_RULES, row_documents)
