"""The one page that is not the API: the UI's entry."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

NOT_BUILT = """<!doctype html><meta charset="utf-8"><title>Gleaner</title>
<h1>The user interface is not built yet</h1>
<p>Type <code>./gleaner up</code>, which builds it, or <code>npm ci &amp;&amp; npm run build</code> in
<code>frontend/</code>.</p>"""


@require_safe
def user_interface(request: HttpRequest) -> HttpResponse:
    """The UI's one page, for every address that is not the API's: its router reads the path."""
    index = settings.UI_DIR / "index.html"
    if not index.is_file():
        return HttpResponse(NOT_BUILT, status=503)
    return HttpResponse(
        index.read_bytes(), content_type="text/html; charset=utf-8", headers={"Cache-Control": "no-cache"}
    )
