"""Pages that ask not to be read, indexed or followed, and links of every odd kind."""

from aiohttp import web

from backend.demo_site.hostile.layout import hostile_page, html_answer, link_list
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.markup import Markup, fill

FORBIDDEN = "/hostile/forbidden"
DIRECTIVES = "/hostile/directives"
LINKS = "/hostile/links"
MANY_LINKS = 20_000
BASE_CHARACTERS = 300_000
LONG_HOST = "http://" + "a" * 404 + ".com/"
PERILS = (
    Peril(FORBIDDEN, "Forbidden", "robots.txt disallows it; whoever asks is in the log.", Outcome.REFUSED),
    Peril(f"{DIRECTIVES}/noindex", "noindex", "A meta element asks to keep it out of indexes.", Outcome.PAGE),
    Peril(f"{DIRECTIVES}/nofollow", "nofollow", "A meta element asks not to follow its link.", Outcome.PAGE),
    Peril(f"{DIRECTIVES}/header", "X-Robots-Tag", "A header asks for both.", Outcome.PAGE),
    Peril(f"{DIRECTIVES}/rel", "rel=nofollow", "One link asks not to be followed, one may be.", Outcome.PAGE),
    Peril(f"{LINKS}/odd", "Odd links", "Every kind of link that is none.", Outcome.PAGE),
    Peril(f"{LINKS}/base", "Base", "Relative links under a base element.", Outcome.PAGE),
    Peril(f"{LINKS}/many", "Many links", f"{MANY_LINKS:,} links on one page.", Outcome.PAGE),
    Peril(f"{LINKS}/long-host", "Long host", "A link to a host with a name of 408 characters.", Outcome.PAGE),
    Peril(
        f"{LINKS}/long-base", "Long base", f"400 links under a base of {BASE_CHARACTERS:,} characters.", Outcome.PAGE
    ),
)
ODD_LINKS = (
    "", "#", "#top", "?", "javascript:void(0)", "JavaScript:alert(1)", "mailto:a@b.example", "tel:+491234",
    "data:text/html,<h1>x</h1>", "file:///etc/passwd", "ftp://ftp.example/x", "about:blank", "http://", "http:///x",
    "http://[", "http://127.0.0.1:99999/", "http://a b/", "//", "///", "http://user:secret@elsewhere.example/",
    "http://2130706433/", "http://0x7f.1/", "http://017700000001/", "\thttp://elsewhere.example/\n",
    "  /hostile/links/found?spaces  ",
    "/hostile/links/found?q=ä ö&p=100%", "/hostile/links/found?q=%zz", "/hostile/./links/../links/found",
    "\\hostile\\links\\found", "http://bücher.example/", "HTTP://ELSEWHERE.EXAMPLE/", "/hostile/links/" + "x" * 9000,
    "blob:http://elsewhere.example/1", "view-source:http://elsewhere.example/", "ws://elsewhere.example/",
)  # fmt: skip
_ONLY = "/hostile/directives/only-by-nofollow"
_MAY = "/hostile/directives/may-be-followed"


async def show_forbidden(_: web.Request) -> web.Response:
    return html_answer(hostile_page("Forbidden", "robots.txt disallows this page.", link_list([f"{FORBIDDEN}/more"])))


def _with_meta(title: str, content: str) -> web.Response:
    head = fill('<meta name="robots" content="{content}">\n', content=content)
    return html_answer(hostile_page(title, "A wish.", link_list([_ONLY]), head=head))


async def show_directive(request: web.Request) -> web.Response:
    match request.match_info["name"]:
        case "noindex":
            head = Markup('<meta name="robots" content="noindex">\n')
            return html_answer(hostile_page("noindex", "Follow, but forget.", link_list([_MAY]), head=head))
        case "nofollow":
            return _with_meta("nofollow", "nofollow")
        case "header":
            page = hostile_page("X-Robots-Tag", "A wish in the head.", link_list([_ONLY]))
            return html_answer(page, headers={"X-Robots-Tag": "noindex, nofollow"})
        case "rel":
            body = fill(
                '<a rel="nofollow ugc" href="{no}">no</a> <a rel="noopener" href="{yes}">yes</a>\n', no=_ONLY, yes=_MAY
            )
            return html_answer(hostile_page("rel=nofollow", "One of two.", body))
        case "only-by-nofollow":
            return html_answer(hostile_page("Only by nofollow", "No polite crawler comes here."))
        case "may-be-followed":
            return html_answer(hostile_page("May be followed", "Welcome."))
    raise web.HTTPNotFound


async def show_odd_links(_: web.Request) -> web.Response:
    links = [fill('<li><a href="{href}">odd</a></li>\n', href=href) for href in ODD_LINKS]
    hidden = Markup(
        '<!-- <a href="/hostile/links/in-comment">x</a> --><script>"<a href=/hostile/links/in-script>"</script>'
    )
    body = fill(
        "<ul>{links}</ul>{hidden}<a>none</a><area href='/hostile/links/found?area'>\n", links=links, hidden=hidden
    )
    return html_answer(hostile_page("Odd links", "Few of these lead anywhere.", body))


async def show_base(_: web.Request) -> web.Response:
    head = Markup('<base href="/hostile/links/deeper/">\n')
    body = Markup('<a href="../found?base">one level up</a>\n')
    return html_answer(hostile_page("Base", "Relative links start elsewhere.", body, head=head))


async def show_many_links(_: web.Request) -> web.Response:
    links = Markup("".join(f'<a href="/hostile/links/found?n={number}">{number}</a>\n' for number in range(MANY_LINKS)))
    return html_answer(hostile_page("Many links", "All of them lead to the same small page.", links))


async def show_long_host(_: web.Request) -> web.Response:
    links = link_list([LONG_HOST, f"{LINKS}/found?long-host"])
    return html_answer(hostile_page("Long host", "No name server can answer for it.", links))


async def show_long_base(_: web.Request) -> web.Response:
    """A small page whose links, joined with its base, come to more than a hundred million characters."""
    head = fill('<base href="{folder}/">\n', folder=f"{LINKS}/{'x' * BASE_CHARACTERS}")
    links = link_list(f"found?n={number}" for number in range(400))
    return html_answer(hostile_page("Long base", "Every link carries it.", links, head=head))


async def show_found(_: web.Request) -> web.Response:
    return html_answer(hostile_page("Found", "A small page at the end of an odd link."))


def add_directives(app: web.Application) -> None:
    """Serve the directives and the odd links."""
    app.router.add_get(FORBIDDEN, show_forbidden)
    app.router.add_get(FORBIDDEN + "/{rest:.*}", show_forbidden)
    app.router.add_get(DIRECTIVES + "/{name}", show_directive)
    app.router.add_get(f"{LINKS}/odd", show_odd_links)
    app.router.add_get(f"{LINKS}/base", show_base)
    app.router.add_get(f"{LINKS}/many", show_many_links)
    app.router.add_get(f"{LINKS}/long-host", show_long_host)
    app.router.add_get(f"{LINKS}/long-base", show_long_base)
    app.router.add_get(f"{LINKS}/found", show_found)
