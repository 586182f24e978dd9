"""A runner's frozen specification, read for the engine."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from backend.apps.projects.models import Project
from backend.apps.runners.models import Runner
from backend.apps.sentences import SECRET
from crawler_node.engine import CrawlSpec
from crawler_node.errors import SpecError
from crawler_node.extract.spec import TemplateSpec, parse_template


@dataclass(frozen=True, slots=True)
class Specification:
    """What a run does, in the engine's words. Secrets are still names."""

    crawl: CrawlSpec
    template: TemplateSpec
    allow_networks: tuple[str, ...]


def read_specification(runner: Runner) -> Specification:
    frozen: dict[str, Any] = runner.specification
    return Specification(
        crawl=CrawlSpec.from_json(frozen["crawler"]),
        template=parse_template(frozen["template"]),
        allow_networks=tuple(frozen.get("allow_networks", ())),
    )


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
    return [{**action, "text": fill(action["text"])} if "text" in action else dict(action) for action in actions]


def _filler(project: Project) -> Callable[[str], str]:
    values = {secret.name: secret for secret in project.secrets.all()}
    return lambda text: SECRET.sub(lambda found: _reveal(values, found[1]), text)


def _reveal(values: dict[str, Any], name: str) -> str:
    if name not in values:
        raise SpecError(f"The secret “{name}” is not there. Enter it under Project → Secrets and start again.")
    revealed: str = values[name].reveal()
    return revealed
