"""The Dockerfile and the compose files, read as far as the tests need them."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docker"
ROLES = ("web", "head_node", "crawler_node")


@dataclass
class Stage:
    """One stage with what it has from those before it. `copies`: (sources in the context, target)."""

    name: str
    base: str
    env: dict[str, str] = field(default_factory=dict)
    copies: list[tuple[list[str], str]] = field(default_factory=list)
    user: str = "0"
    command: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)


def read_dockerfile(path: Path = FOLDER / "Dockerfile") -> dict[str, Stage]:
    stages: dict[str, Stage] = {}
    stage = Stage("", "")
    for word, rest in _instructions(path.read_text(encoding="utf-8")):
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            stage = Stage(name, base)
            if base in stages:
                before = stages[base]
                stage = Stage(name, base, dict(before.env), list(before.copies), before.user)
                stage.entrypoint = before.entrypoint
            stages[name] = stage
        else:
            _apply(stage, word, rest)
    return stages


def _instructions(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    whole = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    found = [line.partition(" ") for line in whole.splitlines() if line.strip()]
    return [(word, rest.strip()) for word, _, rest in found]


def _apply(stage: Stage, word: str, rest: str) -> None:
    if word == "ENV":
        stage.env |= dict(pair.split("=", 1) for pair in shlex.split(rest))
    elif word == "COPY" and not rest.startswith("--from"):
        *sources, target = rest.split()
        stage.copies.append((sources, target))
    elif word == "USER":
        stage.user = rest
    elif word == "CMD":
        stage.command = json.loads(rest)
    elif word == "ENTRYPOINT":
        stage.entrypoint = json.loads(rest)
    elif word == "HEALTHCHECK":
        stage.healthcheck = json.loads(rest[rest.index("CMD ") + 4 :])


def read_compose(name: str = "compose.yaml") -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return found
