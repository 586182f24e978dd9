"""A browser that is shown: a window on a display, where there is one; otherwise a sentence."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from backend.config.lanes import open_lane
from backend.demo_site import DemoSite
from crawler_node.browser import NO_DISPLAY, find_programs, has_display
from crawler_node.browser.session import BrowserSession
from crawler_node.contracts import FetchedPage, PageReading
from crawler_node.engine import CrawlSpec
from crawler_node.extract.spec import parse_template
from tests.unit.crawler_node.browser.showing import PATIENT, with_browser


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A display of our own, and the file that holds its picture."""
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb here: apt-get install xvfb")
    told, tells = os.pipe()
    command = ["Xvfb", "-displayfd", str(tells), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        [*command, "-fbdir", str(tmp_path)],
        pass_fds=[tells],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(tells)
    try:
        number = os.read(told, 20).decode().strip()
        yield f":{number}", tmp_path / "Xvfb_screen0"
    finally:
        os.close(told)
        server.terminate()
        server.wait()


def shades(picture: Path) -> int:
    """How many different bytes a picture has; that of an empty screen has next to none."""
    return len(set(picture.read_bytes()[4096:]))


@pytest.mark.browser
def test_a_page_is_seen_on_the_display(site: DemoSite, screen: tuple[str, Path]) -> None:
    display, picture = screen
    assert has_display(display)
    options = replace(PATIENT, with_window=True, with_images=True, display=display)
    before = shades(picture)

    def show(session: BrowserSession) -> tuple[str, int]:
        html = session.open(f"{site.url}/shop/").html
        deadline = time.monotonic() + 120
        while shades(picture) <= before and time.monotonic() < deadline:  # a page is painted when there is time for it
            time.sleep(0.1)
        return html, shades(picture)

    html, after = with_browser(show, options, site.url, programs=find_programs(with_window=True))
    assert "Orchard" in html
    assert before < after


@pytest.mark.parametrize("display", ["", ":", ":4093", "unix:4093", "nonsense", "127.0.0.1:4093", ":1; rm"])
def test_a_display_that_does_not_answer_is_none(display: str) -> None:
    assert not has_display(display)


@pytest.mark.browser
@pytest.mark.parametrize("display", ["", ":4093"])
async def test_without_a_display_it_is_said_and_goes_on_without_a_window(
    display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    spec = CrawlSpec.from_json({"seeds": ["http://shop.example/"], "lane": "browser", "show_browser": True})
    template = parse_template({"name": "t", "inspectors": [{"name": "a", "selector": "//h1"}]})

    def read(page: FetchedPage) -> PageReading:
        return PageReading(page.url)

    async with open_lane(spec, template, read, allow_networks=()) as opened:
        assert [(line.level, line.message) for line in opened.notes] == [("warning", NO_DISPLAY)]
