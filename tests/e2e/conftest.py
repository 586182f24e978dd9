"""The real server with the built UI, and a real Chromium in front of it."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = "/usr/bin/chromium"
PATIENCE_MS = 120_000
REFUSED = re.compile(r"Failed to load resource.* 4\d\d ")  # the browser itself notes every refusal
expect.set_options(timeout=PATIENCE_MS)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


@dataclass(frozen=True)
class Gleaner:
    """A running Gleaner: where it is, who may sign in, and its command line."""

    url: str
    username: str
    password: str
    env: dict[str, str]

    def manage(self, *words: str) -> str:
        return _manage(self.env, *words)


def _manage(env: dict[str, str], *words: str) -> str:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _wait_until_it_answers(url: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(2400):
        if server.poll() is not None:
            raise RuntimeError("the web process ended before it answered")
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=20):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the web process did not answer")


@pytest.fixture(scope="session")
def gleaner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gleaner]:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.fail("The user interface is not built: type npm ci && npm run build in frontend/, or ./gleaner test.")
    var = tmp_path_factory.mktemp("var")
    env = {
        **os.environ,
        "GLEANER_VAR": str(var),
        "GLEANER_DATABASE_URL": f"sqlite://{var}/gleaner.sqlite3",
        "GLEANER_LOGIN_TRIES_PER_MINUTE": "100",
    }
    _manage(env, "migrate", "-v0")
    password = re.search(r"password (\S+)", _manage(env, "first_admin"))
    assert password is not None
    port = _free_port()
    words = ["-m", "uvicorn", "backend.config.asgi:application", "--port", str(port), "--lifespan", "off"]
    with (var / "web.log").open("wb") as log:
        server = subprocess.Popen([sys.executable, *words], cwd=ROOT, env=env, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_it_answers(url, server)
        yield Gleaner(url, "admin", password[1], env)
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE_MS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, gleaner: Gleaner) -> Iterator[Page]:
    """A fresh person at the sign-in page; any error on the console fails the test."""
    context = browser.new_context(base_url=gleaner.url, viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert [error for error in errors if not REFUSED.search(error)] == []
