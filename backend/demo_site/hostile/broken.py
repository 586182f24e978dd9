"""Broken HTML: on each page a name and a price stand behind the damage, and browsers show both."""

from collections.abc import Callable

from aiohttp import web

from backend.demo_site.hostile.layout import link_list
from backend.demo_site.hostile.perils import Outcome, Peril

BASE = "/hostile/broken"
MANY = 30_000
_DEEP, _VERY_DEEP = 300, 6_000
_HEAD = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Broken</title></head>\n'


def facts(name: str) -> str:
    """The name and the price that every broken page shows."""
    return f'<h1 class="name">{name}</h1>\n<p class="price">1.299,00 €</p>\n'


def _nested(name: str, depth: int) -> str:
    return f"{_HEAD}<body>{'<div>' * depth}\n{facts(name)}{'</div>' * depth}</body></html>"


def _early_end(name: str) -> str:
    return f"{_HEAD}<body><p>Top</p></body></html>\n<!-- the rest was added by another program -->\n{facts(name)}"


def _mark_and_base(name: str) -> str:
    base = '<base href="/hostile/broken/elsewhere/">'
    return f'\ufeff{base}<!doctype html>\n<html><body>{facts(name)}<a href="x">x</a></body></html>'


def _text_before(name: str) -> str:
    return f"Warning: mysql_connect() failed in /var/www/index.php on line 3\n{_HEAD}<body>{facts(name)}</body></html>"


def _two_documents(name: str) -> str:
    return f"{_HEAD}<body><p>First</p></body></html>\n{_HEAD}<body>{facts(name)}</body></html>"


def _unclosed(name: str) -> str:
    return f'{_HEAD}<body><div><p><b><i>Open<table><tr><td>{facts(name)}<td><a href="/hostile/broken">out'


def _misnested(name: str) -> str:
    return (
        f"{_HEAD}<body><b><p>One</b> two</p><form><table></form><tr><td>{facts(name)}</td></tr></table></body></html>"
    )


def _split_text(name: str) -> str:
    first, rest = name[:3], name[3:]
    return (
        f'{_HEAD}<body><h1 class="name">{first}<!-- a comment -->{rest}</h1>\n'
        f'<p class="price">1.299<!-- -->,00&nbsp;&euro;<script>var hidden = "1,00 €";</script></p></body></html>'
    )


def _odd_attributes(name: str) -> str:
    odd = "<div class='a' class=\"b\" =x \"quoted\" on<click=1 data-ü='ä' 5=6>"
    return f"{_HEAD}<body>{odd}{facts(name)}</div></body></html>"


def _zero_bytes(name: str) -> str:
    return f"{_HEAD}<body><p>a\0b</p>\x01\x02\x1f{facts(name)}</body></html>"


def _entities(name: str) -> str:
    return f"{_HEAD}<body><p>&#0; &#xD800; &#x110000; &nosuch; &amp &copy &#128;</p>{facts(name)}</body></html>"


def _many_siblings(name: str) -> str:
    return f"{_HEAD}<body>{'<i>x</i>' * MANY}{facts(name)}</body></html>"


def _long_attribute(name: str) -> str:
    return f'{_HEAD}<body><img alt="" src="data:image/png;base64,{"A" * 2_000_000}">{facts(name)}</body></html>'


def _long_line(name: str) -> str:
    return f"{_HEAD}<body><p>{'word ' * 400_000}</p>{facts(name)}</body></html>"


def _xhtml(name: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body>{facts(name)}</body></html>'
    )


def _foreign(name: str) -> str:
    inside = "<svg><title>svg</title><foreignObject><p>in</p></foreignObject></svg><math><mi>x</mi></math>"
    return f"{_HEAD}<body>{inside}<custom-element>{facts(name)}</custom-element></body></html>"


CASES: dict[str, Callable[[str], str]] = {
    "early-end": _early_end,
    "mark-and-base": _mark_and_base,
    "text-before-doctype": _text_before,
    "two-documents": _two_documents,
    "unclosed": _unclosed,
    "misnested": _misnested,
    "split-text": _split_text,
    "odd-attributes": _odd_attributes,
    "zero-bytes": _zero_bytes,
    "entities": _entities,
    "deep-300": lambda name: _nested(name, _DEEP),
    "deep-6000": lambda name: _nested(name, _VERY_DEEP),
    "many-siblings": _many_siblings,
    "long-attribute": _long_attribute,
    "long-line": _long_line,
    "xhtml": _xhtml,
    "foreign-elements": _foreign,
}
PERILS = (Peril(BASE, "Broken HTML", f"{len(CASES)} pages with a name and a price behind the damage.", Outcome.EITHER),)


async def show_list(_: web.Request) -> web.Response:
    body = "<!doctype html><meta charset=utf-8><title>Broken</title>" + link_list(f"{BASE}/{name}" for name in CASES)
    return web.Response(text=body, content_type="text/html")


async def show_case(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    if name not in CASES:
        raise web.HTTPNotFound
    content_type = "application/xhtml+xml" if name == "xhtml" else "text/html"
    return web.Response(text=CASES[name](name), content_type=content_type)


def add_broken(app: web.Application) -> None:
    """Serve the broken pages."""
    app.router.add_get(BASE, show_list)
    app.router.add_get(BASE + "/{name}", show_case)
