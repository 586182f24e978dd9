"""The pages of the second shop: tables, labels in cells, no classes that mean anything."""

from collections.abc import Sequence

from backend.demo_site.catalogue.categories import CATEGORIES, Category
from backend.demo_site.markup import Markup, fill
from backend.demo_site.paging import Paged
from backend.demo_site.second_shop.articles import Article, all_articles
from backend.demo_site.second_shop.translation import LABELS, NOUNS, translate_value

ARTICLES_PER_PAGE = 15
HOME = "/markt/"
_NEWEST = 10

_PAGE = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html lang="de">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">
<title>{title} | Kistenmarkt</title>
<link rel="stylesheet" href="/assets/markt.css">
</head>
<body>
<table id="rahmen" cellspacing="0" cellpadding="0">
<tr><td id="kopf" colspan="2"><a href="/markt/">KISTEN<span>MARKT</span></a>
<small>Technik zum Kistenpreis seit 1998</small></td></tr>
<tr><td id="menue" valign="top"><b>Abteilungen</b>
<ul>{menu}</ul>
<b>Service</b>
<ul><li><a href="/markt/versand.html">Versand und Rückgabe</a></li>
<li><a href="/markt/warenkorb.php">Warenkorb</a></li></ul></td>
<td id="inhalt" valign="top">
{body}</td></tr>
<tr><td id="fuss" colspan="2">Alle Preise inkl. 19 % MwSt. zzgl. Versand · Kistenmarkt, Musterstadt</td></tr>
</table>
</body>
</html>
"""
_ROW = """<tr><td><a href="{path}"><img src="{image}" alt="" width="60" height="60"></a></td>
<td><a href="{path}">{name}</a><br><small>Art.-Nr. {number}</small></td>
<td nowrap><b>{price}</b>{recommended}</td><td nowrap><small>{availability}</small></td></tr>
"""
_ARTICLE = """<p id="pfad"><a href="/markt/">Start</a> &gt; <a href="{category_path}">{category}</a></p>
<h2>{name}</h2>
<table class="artikel"><tr><td valign="top"><img src="{image}" alt="{name}" width="180" height="180"></td>
<td valign="top"><table class="daten">
{rows}</table></td></tr></table>
<h3>Beschreibung</h3>
<p>{text}</p>
<h3>Technische Daten</h3>
<table class="technik">
{specs}</table>
<h3>Dazu passt</h3>
<ul>{links}</ul>
"""
_DATA_ROW = "<tr><td>{label}:</td><td>{value}</td></tr>\n"


def article_path(article: Article) -> str:
    return f"/markt/artikel.php?id={article.number}"


def image_path(article: Article) -> str:
    return f"/markt/bilder/{article.number}.png"


def list_path(category: Category, page: int = 1) -> str:
    number = CATEGORIES.index(category) + 1
    return f"/markt/liste.php?kat={number}" + (f"&seite={page}" if page > 1 else "")


def articles_of(category: Category) -> list[Article]:
    """The articles of one department, by number."""
    return [article for article in all_articles() if article.product.category is category]


def markt_page(title: str, body: Markup) -> Markup:
    """A whole page of the second shop."""
    menu = [
        fill('<li><a href="{path}">{title}</a></li>\n', path=list_path(category), title=category.german_title)
        for category in CATEGORIES
    ]
    return fill(_PAGE, title=title, menu=menu, body=body)


def home_page() -> Markup:
    """A greeting and the newest articles."""
    newest = sorted(all_articles(), key=lambda article: article.product.released, reverse=True)[:_NEWEST]
    body = fill(
        "<h2>Willkommen im Kistenmarkt</h2>\n<p>Wir kaufen Kisten, Sie sparen. Heute neu:</p>\n{table}",
        table=_table(newest),
    )
    return markt_page("Technik zum Kistenpreis", body)


def list_page(category: Category, page: Paged[Article]) -> Markup:
    """One department, page by page."""
    body = fill(
        '<h2>{title}</h2>\n<p>Seite {number} von {last}</p>\n{table}<p class="seiten">{links}</p>\n',
        title=category.german_title,
        number=page.number,
        last=page.last,
        table=_table(page.items),
        links=[_page_link(category, number, page.number) for number in range(1, page.last + 1)],
    )
    return markt_page(f"{category.german_title}, Seite {page.number}", body)


def article_page(article: Article) -> Markup:
    """Everything the second shop says about one article."""
    category = article.product.category
    specs = [
        fill("<tr><td>{label}</td><td>{value}</td></tr>\n", label=LABELS[label], value=translate_value(value))
        for label, value in article.product.specs
    ]
    body = fill(
        _ARTICLE,
        category_path=list_path(category),
        category=category.german_title,
        name=article.name,
        image=image_path(article),
        rows=[fill(_DATA_ROW, label=label, value=value) for label, value in _data(article)],
        text=_description(article),
        specs=specs,
        links=[_article_link(other) for other in _neighbours(article)],
    )
    return markt_page(article.name, body)


def shipping_page() -> Markup:
    """Delivery and returns."""
    body = Markup("<h2>Versand und Rückgabe</h2>\n<p>Der Versand kostet 4,90 €. Rückgabe innerhalb von 14 Tagen.</p>\n")
    return markt_page("Versand und Rückgabe", body)


def basket_page() -> Markup:
    """An empty basket, which robots.txt disallows."""
    return markt_page("Warenkorb", Markup("<h2>Warenkorb</h2>\n<p>Ihr Warenkorb ist leer.</p>\n"))


def _data(article: Article) -> list[tuple[str, object]]:
    product = article.product
    price = fill("<b>{price}</b> <small>inkl. MwSt.</small>", price=article.price_text)
    rows: list[tuple[str, object]] = [("Preis", price)]
    if article.recommended_text:
        rows.append(("UVP", article.recommended_text))
    rows += [("Hersteller", product.brand), ("Artikelnummer", article.number), ("EAN", product.gtin)]
    if article.rating_text:
        rows.append(("Bewertung", f"{article.rating_text} von 5 ({len(product.reviews)} Stimmen)"))
    return [*rows, ("Lieferbarkeit", article.availability), ("Erschienen", article.released_text)]


def _description(article: Article) -> str:
    noun, years = NOUNS[article.product.category.noun], article.number % 4 + 2
    label, value = article.product.specs[1]
    return (
        f"Solide Technik von {article.product.brand}: {noun} mit {years} Jahren Garantie. "
        f"{LABELS[label]}: {translate_value(value)}. Geprüfte Ware, ungeöffnet, solange der Vorrat reicht."
    )


def _neighbours(article: Article) -> list[Article]:
    shelf = articles_of(article.product.category)
    place = shelf.index(article)
    return [shelf[(place + step) % len(shelf)] for step in (1, 2, 3)]


def _table(articles: Sequence[Article]) -> Markup:
    return fill('<table class="liste">\n{rows}</table>\n', rows=[_row(article) for article in articles])


def _row(article: Article) -> Markup:
    recommended = fill("<br><s>{text}</s>", text=article.recommended_text) if article.recommended_text else None
    return fill(
        _ROW,
        path=article_path(article),
        image=image_path(article),
        name=article.name,
        number=article.number,
        price=article.price_text,
        recommended=recommended,
        availability=article.availability,
    )


def _article_link(article: Article) -> Markup:
    return fill('<li><a href="{path}">{name}</a></li>\n', path=article_path(article), name=article.name)


def _page_link(category: Category, number: int, current: int) -> Markup:
    if number == current:
        return fill("<b>{number}</b> ", number=number)
    return fill('<a href="{path}">{number}</a> ', path=list_path(category, number), number=number)
