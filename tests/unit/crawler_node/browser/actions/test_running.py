"""Every dynamic page of the demo site after its chain, in one browser: each value as the truth says."""

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.truth import DYNAMIC_KINDS, LOGIN_ACTIONS, DocumentKind
from crawler_node.browser.actions import Onlooker, parse_actions
from crawler_node.browser.session import BrowserSession, Rendering
from tests.unit.backend.demo_site.extraction import extract
from tests.unit.crawler_node.browser.showing import PATIENT, with_browser

pytestmark = pytest.mark.browser
JPEG = b"\xff\xd8\xff"
OPTIONS = PATIENT
# The snapshot writes links inside frames in full.
KINDS = [kind for kind in DYNAMIC_KINDS if kind.name != "dynamic frames"]


def path_of(kind: DocumentKind) -> str:
    return kind.documents()[0].path


@pytest.fixture(scope="module")
def renderings(site: DemoSite) -> dict[str, Rendering]:
    def show_all(session: BrowserSession) -> dict[str, Rendering]:
        return {
            kind.name: session.open(site.url + path_of(kind), parse_actions(kind.actions)) for kind in DYNAMIC_KINDS
        }

    return with_browser(show_all, OPTIONS, site.url)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_value_is_there_after_the_chain(renderings: dict[str, Rendering], kind: DocumentKind) -> None:
    found = extract(kind, renderings[kind.name].html.encode(), path_of(kind))
    assert found == [document.shown for document in kind.documents() if document.path == path_of(kind)]


def test_frames_of_the_same_origin_are_part_of_the_page(renderings: dict[str, Rendering], site: DemoSite) -> None:
    kind = next(kind for kind in DYNAMIC_KINDS if kind.name == "dynamic frames")
    found = extract(kind, renderings[kind.name].html.encode(), path_of(kind))
    links = [document["link"].removeprefix(site.url) for document in found]
    assert links == [document.shown["link"] for document in kind.documents()]


def test_every_step_is_told_and_worked(renderings: dict[str, Rendering]) -> None:
    steps = [step for rendering in renderings.values() for step in rendering.steps]
    assert len(steps) == sum(len(kind.actions) for kind in DYNAMIC_KINDS)
    assert [step.sentence for step in steps if not step.worked] == []
    assert "Typed 12 characters into //input[@id='password']." in [step.sentence for step in steps]


def test_what_cannot_be_done_ends_the_chain_unless_it_is_optional(site: DemoSite) -> None:
    nothing = {"type": "click", "selector": "//button[@id='none']", "timeout_seconds": 0.3}
    steps = parse_actions(
        [
            {**nothing, "optional": True},
            {"type": "click_if_present", "selector": "//button[@id='none']", "timeout_seconds": 0.3},
            {"type": "wait_for_text", "text": "Load more"},
            nothing,
            {"type": "wait", "seconds": 1},
        ]
    )
    found = with_browser(lambda session: session.open(f"{site.url}/dynamic/more", steps), OPTIONS, site.url)
    assert [step.worked for step in found.steps] == [False, True, True, False]
    assert found.steps[-1].sentence == "Nothing on the page matches //button[@id='none'] within 0.3 s."


def test_an_onlooker_sees_every_step_and_no_secret(site: DemoSite) -> None:
    steps, seen, styles = parse_actions(LOGIN_ACTIONS[:2]), [], []

    def show(session: BrowserSession) -> Rendering:
        onlooker = Onlooker(seen.append, hidden=("//input[@id='username']",))
        rendering = session.open(f"{site.url}/dynamic/login", steps, onlooker=onlooker)
        asked = "return getComputedStyle(document.getElementById('username')).webkitTextSecurity"
        styles.append(session._driver.execute_script(asked))
        return rendering

    rendering = with_browser(show, OPTIONS, site.url)
    assert [(step.place, step.type) for step in seen] == [(0, "open"), (1, "type"), (2, "type")]
    assert [step.picture[:3] for step in seen] == [JPEG] * 3
    assert len({step.picture for step in seen}) == 3
    assert seen[1:] == list(rendering.steps)
    assert "gleaner-demo" not in "".join(step.sentence for step in seen)
    assert styles == ["disc"]
