"""A runner's frozen specification, read for the engine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backend.apps.crawlers.describing import describe_crawler
from backend.apps.crawlers.models import Crawler, Lane
from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner
from backend.apps.sentences import SECRET
from backend.apps.templates.describing import describe_template
from crawler_node.engine import CrawlSpec
from crawler_node.errors import SpecError
from crawler_node.extract.spec import TemplateSpec, parse_template


@dataclass(frozen=True, slots=True)
class Specification:
    """What a run does, in the engine's words. Secrets are still names."""

    crawl: CrawlSpec
    template: TemplateSpec
    allow_networks: tuple[str, ...]

    @property
    def needs_browser(self) -> bool:
        return needs_browser(self.crawl, self.template)


def freeze(crawler: Crawler, allow_networks: Sequence[str] = ()) -> dict[str, Any]:
    """What a run of a crawler would do now, whatever becomes of the crawler and its template."""
    return {
        "crawler": describe_crawler(crawler),
        "template": describe_template(crawler.template),
        "allow_networks": list(allow_networks),
    }


def read_specification(runner: Runner) -> Specification:
    return parse_specification(runner.specification)


def parse_specification(frozen: Mapping[str, Any]) -> Specification:
    return Specification(
        crawl=CrawlSpec.from_json(frozen["crawler"]),
        template=parse_template(frozen["template"]),
        allow_networks=tuple(frozen.get("allow_networks", ())),
    )


def crawl_as_it_is_now(runner: Runner) -> CrawlSpec:
    """The frozen crawl, but with what lets it in as it is now: a person may mend that while a run waits for them.

    A login that was not there at the start stays away: its workers may be where no browser is.
    """
    frozen, crawler = read_specification(runner).crawl, runner.crawler
    return replace(frozen, cookies=tuple(crawler.cookies), login=crawler.login if frozen.login else frozen.login)


def needs_browser(crawl: CrawlSpec, template: TemplateSpec) -> bool:
    """Whether only a machine with a browser can do a crawl. Lane `auto` can do without where there is nothing to do
    on a page: no login, no action chain.
    """
    has_steps = bool(crawl.login or template.actions)
    return crawl.lane == Lane.BROWSER or (crawl.lane == Lane.AUTO and has_steps)


def fill_in_secrets(spec: CrawlSpec, project: Project) -> CrawlSpec:
    """Proxies, headers, login and cookies with the values of the secrets they name; SpecError names a missing one."""
    fill = _filler(project)
    login = {**spec.login, "actions": _typed(spec.login["actions"], fill)} if spec.login else {}
    return replace(
        spec,
        proxies=tuple(fill(proxy) for proxy in spec.proxies),
        headers={name: fill(value) for name, value in spec.headers.items()},
        login=login,
        cookies=tuple({**cookie, "value": fill(cookie["value"])} for cookie in spec.cookies),
    )


def fill_in_typed(template: TemplateSpec, project: Project) -> TemplateSpec:
    """The template with the values of the secrets that its actions type."""
    return replace(template, actions=tuple(_typed(template.actions, _filler(project))))


def _typed(actions: Iterable[Mapping[str, Any]], fill: Callable[[str], str]) -> list[dict[str, Any]]:
    """Only what is typed: other steps tell people their texts."""
    return [{**action, "text": fill(action["text"])} if _is_typing(action) else dict(action) for action in actions]


def _is_typing(action: Mapping[str, Any]) -> bool:
    return action.get("type") == "type" and "text" in action


def _filler(project: Project) -> Callable[[str], str]:
    values = {secret.name: secret for secret in project.secrets.all()}
    return lambda text: SECRET.sub(lambda found: _reveal(values, found[1]), text)


def _reveal(values: dict[str, Any], name: str) -> str:
    if name not in values:
        raise SpecError(f"The secret “{name}” is not there. Enter it under Project → Secrets and start again.")
    revealed: str = values[name].reveal()
    return revealed
