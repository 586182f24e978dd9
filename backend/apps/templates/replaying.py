"""A template's action chain replayed in a browser, one at a time in this process: every step with a picture."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from backend.apps.crawlers.describing import describe_crawler
from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.validation import check_crawler
from backend.apps.errors import Busy, Conflict, FieldErrors, Invalid
from backend.apps.runners.specification import fill_in_secrets, fill_in_typed
from backend.apps.sentences import SECRET, merge_errors
from backend.apps.templates.describing import describe_template
from backend.apps.templates.models import Template
from backend.apps.templates.trying import Preview, preview_page
from backend.apps.templates.validation import check_template
from crawler_node.browser.replay import Replay, ReplayOrder, run_replay
from crawler_node.engine import CrawlSpec
from crawler_node.errors import SpecError
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import NetworkPolicy
from crawler_node.urls import parse_url

REPLAY_SECONDS: Final = 90.0
RETRY_AFTER_SECONDS: Final = 15
BUSY = "Another replay is under way here, and a browser is all it may take. Try again in a moment."
TURN = threading.Lock()


@dataclass(frozen=True, slots=True)
class ReplayedTemplate:
    """The steps, and what the template makes of the page after them; None where no page came."""

    replay: Replay
    preview: Preview | None


def replay_template(
    *,
    template: Template,
    url: str,
    actions: Sequence[Mapping[str, Any]] | None = None,
    crawler: Crawler | None = None,
    networks: Sequence[str] = (),
    seconds: float = REPLAY_SECONDS,
) -> ReplayedTemplate:
    """Open a page, run the chain and read the page, as a crawl would; nothing is stored.

    `actions` replace the template's own. A `crawler` lends its login, cookies, headers, proxies and user agent. Raises
    Invalid, Conflict where a secret is missing, and Busy while another replay runs.
    """
    description = describe_template(template)
    if errors := _check(url, actions):
        raise Invalid(errors)
    if actions is not None:
        description["actions"] = [_flat(action) for action in actions]
    order = _order(template, description, url=url, crawler=crawler, networks=networks, seconds=seconds)
    if not TURN.acquire(blocking=False):
        raise Busy(BUSY, retry_after_seconds=RETRY_AFTER_SECONDS)
    try:
        replay = run_replay(order)
    finally:
        TURN.release()
    scope = crawler.links_scope if crawler else ()
    preview = None if replay.page is None else preview_page(template=description, page=replay.page, links_scope=scope)
    return ReplayedTemplate(replay, preview)


def _check(url: str, actions: Sequence[Mapping[str, Any]] | None) -> FieldErrors:
    errors: FieldErrors = {}
    if found := check_crawler({"seeds": [url]}):
        errors["url"] = next(iter(found.values()))
    merge_errors(errors, "", check_template({"actions": actions or ()}))
    return errors


def _flat(action: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in action.items() if name != "parameters"}
    return {**own, **action.get("parameters", {})}


def _order(
    template: Template,
    description: Mapping[str, Any],
    *,
    url: str,
    crawler: Crawler | None,
    networks: Sequence[str],
    seconds: float,
) -> ReplayOrder:
    named = CrawlSpec.from_json(describe_crawler(crawler)) if crawler else CrawlSpec(seeds=(url,))
    try:
        spec = fill_in_secrets(named, template.project)
        filled = fill_in_typed(parse_template(description), template.project)
    except SpecError as error:
        raise Conflict(str(error)) from error
    options = spec.lane_options(policy=NetworkPolicy(), version=settings.VERSION, contact=settings.CONTACT)
    return ReplayOrder(
        url=url,
        actions=filled.actions,
        hidden=_hidden_fields([*description["actions"], *named.login.get("actions", ())]),
        user_agent=options.user_agent,
        headers=_headers_for(url, spec),
        proxies=spec.proxies,
        login=spec.login,
        cookies=spec.cookies,
        networks=(*settings.ALLOW_NETWORKS, *networks),
        seconds=seconds,
    )


def _headers_for(url: str, spec: CrawlSpec) -> Mapping[str, str]:
    """The crawler's own headers, where the page may see them."""
    target = parse_url(url)  # as a browser reads it: others take `https://one.example\@two.example/` for the second
    if target is None or (target.scheme != "https" and not spec.headers_in_open):
        return {}
    return spec.headers if spec.own_hosts()(target.host) else {}


def _hidden_fields(actions: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Fields into which a secret is typed: no picture may show it."""
    return tuple(action["selector"] for action in actions if action.get("selector") and _holds_secret(action))


def _holds_secret(action: Mapping[str, Any]) -> bool:
    return SECRET.search(str(action.get("text", ""))) is not None
