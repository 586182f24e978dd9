"""What a page gives, counted, so that two ways of fetching it can be compared."""

import re
from dataclasses import dataclass

from crawler_node.contracts import FetchedPage, PageReading
from crawler_node.urls.parse import normalize, parse_url
from wording import say_count

SCRIPTED_SENTENCE = (
    "It gave no documents over HTTP and seems to be drawn by scripts. "
    "Pages like that need a browser: choose the lane “auto” or “browser”."
)
FRAMED_SENTENCE = (
    "It gave no documents over HTTP and shows other pages in frames, which only a browser opens. "
    "Choose the lane “auto” or “browser”, or crawl the addresses of the frames."
)
_FRAME = re.compile(rb"<i?frame\b", re.IGNORECASE)
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_UNREAD = re.compile(
    rb"<(script|style|template|noscript)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|\s+", re.IGNORECASE | re.DOTALL
)
_LITTLE_TEXT = 600
# “Click here if nothing happens”, a logo, an imprint.
_FEW_LINKS = 3


@dataclass(frozen=True, slots=True)
class Yield:
    """Documents, their filled fields, the links to the page's own host, and fingerprints of what the documents say."""

    documents: int
    fields: int
    links: frozenset[str]
    values: tuple[bytes, ...] = ()

    def __str__(self) -> str:
        return ", ".join(
            (say_count(self.documents, "document"), say_count(self.fields, "field"), say_count(len(self.links), "link"))
        )


def yield_of(page: FetchedPage, reading: PageReading) -> Yield:
    """What was read of a page."""
    values = [value for document in reading.documents for value in document.values.values()]
    host = _host(page.url)
    found = (normalize(link.href, reading.base_url) for link in reading.links)
    links = frozenset(url.partition("#")[0] for url in found if url is not None and _host(url) == host)
    filled = sum(value not in (None, "", []) for value in values)
    return Yield(len(reading.documents), filled, links, tuple(sorted(document.sha1 for document in reading.documents)))


def compare(plain: Yield, rendered: Yield) -> str:
    """What the browser shows and HTTP does not, as a sentence's end; '' when it shows no more."""
    if rendered.documents > plain.documents:
        return f"a browser finds {say_count(rendered.documents, 'document')}, HTTP {plain.documents}"
    if rendered.fields > plain.fields:
        return f"a browser fills {say_count(rendered.fields, 'field')}, HTTP {plain.fields}"
    return _say_links(rendered.links - plain.links) if len(rendered.links) > len(plain.links) else ""


def _say_links(more: frozenset[str]) -> str:
    return f"a browser finds {say_count(len(more), 'link')} that HTTP does not, such as {min(more)}"


def differs(plain: Yield, rendered: Yield) -> bool:
    """Whether a browser shows as much as HTTP, but other things: by scripts, or because the server answers anew."""
    if (rendered.documents, rendered.fields) != (plain.documents, plain.fields):
        return False
    return rendered.values != plain.values or not rendered.links <= plain.links


def scripts_differ(plain: Yield, again: Yield, rendered: Yield) -> str:
    """What scripts put in another's place, as a sentence's end; '' where two answers over HTTP differ, too."""
    if plain.values == again.values != rendered.values:
        return "a browser reads other values than HTTP, which gives the same twice"
    more = rendered.links - plain.links
    return _say_links(more) if more and plain.links == again.links else ""


def changes(plain: PageReading, rendered: PageReading) -> str:
    """What steps on a page did to what is read of it, as a sentence's end; '' when they left it as it was."""
    before, after = ([document.values for document in reading.documents] for reading in (plain, rendered))
    return "" if before == after else "its action chain changes what is read"


def leads_to_more(plain: Yield, there: Yield | None) -> bool:
    """Whether a page that a script leads on to is worth more than the page itself, in a crawl that has one of them.

    `there` is None for a page that was not shown, being another host's or forbidden: a page that itself gives hardly
    anything was made to lead there.
    """
    if there is None:
        return not plain.documents and len(plain.links) <= _FEW_LINKS
    return (there.documents, there.fields, len(there.links)) >= (plain.documents, plain.fields, len(plain.links))


def _host(url: str) -> str:
    parsed = parse_url(url)
    return "" if parsed is None else parsed.host


def why_browser(page: FetchedPage, reading: PageReading) -> str:
    """Why a browser may show more of a page that gave no documents, as a sentence; '' where nothing speaks for it."""
    return "" if reading.documents else looks_scripted(page)


def looks_scripted(page: FetchedPage) -> str:
    """The same, of a page that may have given documents: it need not be read for that."""
    if len(page.body) > 200_000:
        return ""
    if _SCRIPT.search(page.body) and len(_UNREAD.sub(b"", page.body)) < _LITTLE_TEXT:
        return SCRIPTED_SENTENCE
    return FRAMED_SENTENCE if _FRAME.search(page.body) else ""
