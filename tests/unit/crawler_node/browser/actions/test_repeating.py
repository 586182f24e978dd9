"""Steps that go on until nothing new comes say whether they came to the end."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web

from crawler_node.browser import find_programs
from crawler_node.browser.actions import Chain, parse_actions
from crawler_node.browser.guard_proxy import GuardProxy
from crawler_node.browser.pool import BrowserPool
from tests.unit.crawler_node.browser.actions.stepping import after_steps
from tests.unit.crawler_node.browser.showing import PATIENT, policy_for
from tests.unit.crawler_node.browser.test_manners import Server, crawl_in_browsers
from tests.unit.crawler_node.engine.crawling import make_spec

pytestmark = pytest.mark.browser
SCROLL = {"type": "scroll_to_end", "max_times": 3}
MORE = {"type": "load_more", "selector": "//button", "max_times": 3}
# Each scroll or click brings something, so many times in all.
GROWING = """<button>More</button><script>
let left = COUNT;
function grow() {
  if (left > 0) document.body.insertAdjacentHTML('beforeend', `<p style="height: 2000px">${left}</p>`);
  left -= 1;
  if (left <= 0) document.querySelector('button')?.remove();
}
addEventListener('scroll', grow);
document.querySelector('button').onclick = grow;
</script>"""
SCROLLED = GROWING.replace("document.querySelector('button').onclick", "window.unused")
CLICKED = GROWING.replace("addEventListener('scroll', grow);", "")
RESTLESS = "<button>More</button><script>setInterval(() => document.body.append('.'), 20)</script>"
RESTLESS_SCROLLED = RESTLESS.replace("'.'", "document.createElement('p')")
OFTEN = "It was stopped after 3 times. There may be more: let the step do it more often (“max_times”)."
LONG = "It was stopped after 3 s. There may be more: give the step more patience (“timeout_seconds”)."


@pytest.mark.parametrize(
    ("html", "step", "sentence"),
    [
        (CLICKED.replace("COUNT", "3"), MORE, "Clicked //button 3 times, until nothing new came."),
        (CLICKED.replace("COUNT", "9"), MORE, f"Clicked //button 3 times. {OFTEN}"),
        (SCROLLED.replace("COUNT", "0"), SCROLL, "Scrolled to the end 2 times, until nothing new came."),
        (SCROLLED.replace("COUNT", "999"), SCROLL, f"Scrolled to the end 3 times. {OFTEN}"),
    ],
    ids=["all clicked", "more to click", "all scrolled", "more to scroll"],
)
async def test_a_step_says_whether_there_may_be_more(html: str, step: dict[str, Any], sentence: str) -> None:
    [found] = (await after_steps(html, [step])).steps
    assert (found.sentence, found.worked) == (sentence, True)
    assert found.warning == (OFTEN if OFTEN in sentence else "")


@pytest.mark.parametrize(("html", "step"), [(RESTLESS, MORE), (RESTLESS_SCROLLED, SCROLL)], ids=["clicks", "scrolls"])
async def test_a_step_whose_time_is_over_says_so(html: str, step: dict[str, Any]) -> None:
    [found] = (await after_steps(html, [{**step, "max_times": 10_000, "timeout_seconds": 0.5}])).steps
    assert found.sentence.endswith(f" times. {LONG}")
    assert found.warning == LONG


@pytest.mark.parametrize("way", ["location = '/other'", "alert('Hello')"])
async def test_a_page_that_breaks_a_step_off_is_taken_as_it_is_then(way: str) -> None:
    html = f"{RESTLESS_SCROLLED}<script>addEventListener('scroll', () => {{ {way} }}, {{once: true}})</script>"
    [found] = (await after_steps(html, [{**SCROLL, "max_times": 10_000}])).steps  # however late the other page comes
    sentence = "Scrolled to the end until the page broke it off; what it shows now is taken."
    assert (found.sentence, found.worked) == (sentence, True)


async def test_a_crawl_warns_of_what_may_be_missing() -> None:
    async with Server({"/": CLICKED.replace("COUNT", "9")}) as server:
        crawl = await crawl_in_browsers(make_spec(f"{server.url}/"), chain=Chain(parse_actions([MORE])))
        [line] = [line for line in crawl.store.log if "load more" in line.message]
        assert (line.level, line.url) == ("warning", f"{server.url}/")
        assert line.message == f"Step 1 of the action chain (load more): {OFTEN}"


# --- slow sites

SLOW = """<button>More</button><ul id=list></ul><script>
let left = 2, clicks = 0;
const button = document.querySelector('button');
button.onclick = async () => {
  clicks += 1;
  document.body.dataset.clicks = clicks;
  button.textContent = 'Loading…';
  const text = await (await fetch('/late')).text();
  list.insertAdjacentHTML('beforeend', `<li>${text}</li>`);
  button.textContent = 'More';
  left -= 1;
  if (left <= 0) button.remove();
};
</script>"""


@dataclass
class SlowServer(Server):
    """What is fetched comes late."""

    seconds: float = 0.0

    async def _answer(self, request: web.Request) -> web.Response:
        if request.path == "/late":
            await asyncio.sleep(self.seconds)
            return web.Response(text="more")
        return await super()._answer(request)


async def stepped(html: str, step: dict[str, Any], *, seconds: float) -> tuple[str, str]:
    """What a step says on a page whose data take so long, and the page afterwards."""
    async with (
        SlowServer({"/": html}, seconds=seconds) as server,
        GuardProxy(policy_for(server.url)) as proxy,
        BrowserPool(find_programs(), PATIENT, proxy=proxy.address) as pool,
    ):
        rendering = await pool.run(lambda session: session.open(f"{server.url}/", parse_actions([step])))
    return rendering.steps[0].sentence, rendering.html


async def test_what_is_on_its_way_is_waited_for_beyond_the_patience() -> None:
    """It ends after 0.8 s, and each load takes longer."""
    sentence, html = await stepped(SLOW, {**MORE, "timeout_seconds": 0.8}, seconds=1.2)
    assert sentence == "Clicked //button 2 times, until nothing new came."
    assert html.count("<li>more</li>") == 2


async def test_a_button_that_says_that_it_loads_is_not_clicked_again() -> None:
    _, html = await stepped(SLOW, {**MORE, "max_times": 10}, seconds=0.4)
    assert 'data-clicks="2"' in html


async def test_a_step_that_never_found_anything_to_click_says_so() -> None:
    [found] = (await after_steps("<h1>a</h1>", [{**MORE, "timeout_seconds": 0.2}])).steps
    assert (found.worked, found.sentence.partition(".")[0]) == (True, "Clicked //button 0 times")
    assert found.warning.startswith("Nothing that can be clicked matches //button.")


async def test_scrolling_that_takes_too_long_is_cut_off_and_says_so() -> None:
    step = {"type": "scroll", "times": 10_000, "timeout_seconds": 0.2}
    [found] = (await after_steps("<p style='height: 99999px'>a", [step])).steps
    assert found.worked
    assert found.warning.startswith("It was stopped after 1.2 s. There may be more")
