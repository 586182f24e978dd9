"""A runner's frozen specification, read for the engine."""

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
    """Proxies and headers with the values of the secrets they name; SpecError names one that is missing."""
    values = {secret.name: secret for secret in project.secrets.all()}

    def fill(text: str) -> str:
        return SECRET.sub(lambda found: _reveal(values, found[1]), text)

    proxies = tuple(fill(proxy) for proxy in spec.proxies)
    return replace(spec, proxies=proxies, headers={name: fill(value) for name, value in spec.headers.items()})


def _reveal(values: dict[str, Any], name: str) -> str:
    if name not in values:
        raise SpecError(f"The secret “{name}” is not there. Enter it under Project → Secrets and start again.")
    revealed: str = values[name].reveal()
    return revealed
