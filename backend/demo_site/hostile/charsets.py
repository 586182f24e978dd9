"""Pages whose bytes are one thing and whose labels say another."""

from dataclasses import dataclass

from aiohttp import web

from backend.demo_site.hostile.layout import link_list
from backend.demo_site.hostile.perils import Outcome, Peril

BASE = "/hostile/charset"
GERMAN = "Grüße aus Köln: 1.299,00 € für Äpfel, Öl und Süßes – „schön“!"
FRENCH = "L’été dernier, à Besançon, un garçon naïf a mangé du maïs près de l’église, où sonnait la cloche."
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю; цена 1299 рублей."
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
CHINESE = "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。价格一千二百九十九元。"
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."
POLISH = "Zażółć gęślą jaźń, a potem kup łódź za 1299,00 zł."

_PAGE = """<!doctype html>
<html>
<head>
{meta}<title>{name}</title>
</head>
<body>
<h1 class="name">{name}</h1>
<p class="text">{text}</p>
<p class="text">{text}</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Mislabelled:
    """A page: how it is really encoded, and what header and meta element say (empty: nothing)."""

    name: str
    text: str
    encoding: str
    header: str = ""
    meta: str = ""
    mark: bytes = b""
    is_misleading: bool = False  # whoever believes the label reads nonsense, a browser, too
    is_unlabelled: bool = False  # only detection helps; browsers do not try it for UTF-8

    @property
    def path(self) -> str:
        return f"{BASE}/{self.name}"

    def body(self) -> bytes:
        meta = f'<meta charset="{self.meta}">\n' if self.meta else ""
        return self.mark + _PAGE.format(meta=meta, name=self.name, text=self.text).encode(self.encoding)


CASES = (
    Mislabelled("utf8-as-latin1", GERMAN, "utf-8", header="iso-8859-1", meta="utf-8", is_misleading=True),
    Mislabelled("cp1252-as-utf8", GERMAN, "cp1252", header="utf-8", is_misleading=True),
    Mislabelled("cp1252-as-latin1", GERMAN, "cp1252", header="iso-8859-1"),
    Mislabelled("cp1252-in-meta", FRENCH, "cp1252", meta="windows-1252"),
    Mislabelled("utf8-unlabelled", GERMAN, "utf-8", is_unlabelled=True),
    Mislabelled("utf8-as-utf16-in-meta", GERMAN, "utf-8", meta="utf-16"),
    Mislabelled("utf8-with-mark-as-latin1", GERMAN, "utf-8", header="iso-8859-1", mark=b"\xef\xbb\xbf"),
    Mislabelled("utf16le-with-mark", GERMAN, "utf-16-le", mark=b"\xff\xfe"),
    Mislabelled("utf16be-as-utf8", FRENCH, "utf-16-be", header="utf-8", mark=b"\xfe\xff"),
    Mislabelled("unknown-label", GERMAN, "utf-8", header="x-klingon", is_unlabelled=True),
    Mislabelled("header-against-meta", RUSSIAN, "cp1251", header="windows-1251", meta="utf-8"),
    Mislabelled("koi8-in-meta", RUSSIAN, "koi8-r", meta="koi8-r"),
    Mislabelled("latin2-in-header", POLISH, "iso-8859-2", header="iso-8859-2"),
    Mislabelled("shift-jis-in-meta", JAPANESE, "shift_jis", meta="shift_jis"),
    Mislabelled("euc-jp-in-header", JAPANESE, "euc_jp", header="euc-jp"),
    Mislabelled("gb18030-in-meta", CHINESE, "gb18030", meta="gb2312"),
    Mislabelled("big5-in-header", "價格一千二百九十九元，天地玄黃，宇宙洪荒。", "big5", header="big5"),
    Mislabelled("euc-kr-in-meta", KOREAN, "euc_kr", meta="euc-kr"),
)
BY_NAME = {case.name: case for case in CASES}
PERILS = (Peril(BASE, "Charsets", f"{len(CASES)} pages whose labels are wrong, missing or odd.", Outcome.EITHER),)


async def show_list(_: web.Request) -> web.Response:
    body = "<!doctype html><meta charset=utf-8><title>Charsets</title>" + link_list(case.path for case in CASES)
    return web.Response(text=body, content_type="text/html")


async def show_case(request: web.Request) -> web.Response:
    case = BY_NAME.get(request.match_info["name"])
    if case is None:
        raise web.HTTPNotFound
    label = f"text/html; charset={case.header}" if case.header else "text/html"
    return web.Response(body=case.body(), headers={"Content-Type": label})


def add_charsets(app: web.Application) -> None:
    """Serve the mislabelled pages."""
    app.router.add_get(BASE, show_list)
    app.router.add_get(BASE + "/{name}", show_case)
