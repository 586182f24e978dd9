"""Style sheets, scripts and icons, served as they lie here."""

from pathlib import Path

from aiohttp import web

from backend.demo_site.responses import cached_file, not_found

_FILES = Path(__file__).with_name("files")
_CONTENT_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


async def show_asset(request: web.Request) -> web.Response:
    """One file of the folder; nothing outside of it."""
    path = _FILES / request.match_info["name"]
    if path.parent != _FILES or path.suffix not in _CONTENT_TYPES or not path.is_file():
        return not_found("There is no such file.")
    return cached_file(request, path.read_bytes, _CONTENT_TYPES[path.suffix])


async def show_icon(request: web.Request) -> web.Response:
    """What browsers ask for without being told to."""
    return cached_file(request, (_FILES / "shop-icon.svg").read_bytes, _CONTENT_TYPES[".svg"])


def read_shape(category: str) -> str:
    """The drawing of one category of products, to be put into a picture."""
    return (_FILES.parent / "shapes" / f"{category}.svg").read_text()


def add_assets(app: web.Application) -> None:
    """Serve the files under `/assets/`."""
    app.router.add_get("/assets/{name}", show_asset)
    app.router.add_get("/favicon.ico", show_icon)
