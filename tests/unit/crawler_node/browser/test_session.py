"""One browser: a page is taken when it rests, with all that it asked for."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from crawler_node.browser.session import BrowserSession
from tests.unit.crawler_node.browser.showing import PATIENT, with_browser

pytestmark = pytest.mark.browser
PAGE = "<p id=p>Loading</p><script>fetch('/late').then(a => a.text()).then(text => { p.textContent = text })</script>"


class LateSite(ThreadingHTTPServer):
    """A page, and what it asks for, which comes when `go` is set."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.go = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    server: LateSite

    def do_GET(self) -> None:
        if self.path == "/late":
            self.server.go.wait()
        body = b"At last" if self.path == "/late" else PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def late_site() -> Iterator[LateSite]:
    with LateSite() as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield site
        site.go.set()
        site.shutdown()
        thread.join()


def test_what_comes_while_the_page_is_being_taken_is_not_missing(late_site: LateSite) -> None:
    def show(session: BrowserSession) -> str:
        read = session._read_log

        def read_when_it_has_come() -> None:
            late_site.go.set()
            read()
            while session._log._pending:
                time.sleep(0.02)
                read()

        session._read_log = read_when_it_has_come  # type: ignore[method-assign]
        return session.open(late_site.url).html

    assert "At last" in with_browser(show, PATIENT, late_site.url)
