"""The suite's checks, in order: the quick ones first, the browser last."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import Command
from backend.bootstrap.setup.frontend import find_npm, has_frontend

PLUGIN = ["-p", "backend.bootstrap.suite.pytest_parts"]
PARALLEL = ["-n", "2", "--dist", "worksteal"]
PRODUCTION = {"GLEANER_DEBUG": "0", "GLEANER_HTTPS": "1", "GLEANER_ALLOWED_HOSTS": "gleaner.example.org"}


@dataclass(frozen=True)
class Check:
    """One line of the summary. A `live` one shows what it prints as it runs; the others only when they fail."""

    name: str
    command: Command
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    live: bool = False
    on_failure: str = ""


def all_checks(places: Places, *, postgres_url: str) -> list[Check]:
    return [
        *_static_checks(places),
        *_django_checks(places),
        *_frontend_checks(places),
        *_test_runs(places, postgres_url),
    ]


def _static_checks(places: Places) -> list[Check]:
    tools = places.venv / "bin"
    root = places.root
    return [
        Check("ruff check", [tools / "ruff", "check", ".", "gleaner"], root),
        Check(
            "ruff format", [tools / "ruff", "format", "--check", "."], root, on_failure="Type: .venv/bin/ruff format ."
        ),
        Check("mypy", [tools / "mypy"], root),
        Check("import contracts", [tools / "lint-imports"], root),
    ]


def _django_checks(places: Places) -> list[Check]:
    def manage(name: str, *arguments: str, env: Mapping[str, str] | None = None, on_failure: str = "") -> Check:
        command: Command = [places.python, "manage.py", *arguments]
        return Check(name, command, places.root, env=env or {}, on_failure=on_failure)

    deploy = ("check", "--deploy", "--fail-level", "WARNING")
    renew = "Type: ./gleaner manage spectacular --file docs/openapi.yaml"
    drift: Command = [places.python, "-m", "backend.bootstrap.suite.openapi_drift"]
    return [
        manage(
            "migrations", "makemigrations", "--check", "--dry-run", on_failure="Type: ./gleaner manage makemigrations"
        ),
        Check("openapi.yaml", drift, places.root, on_failure=renew),
        manage("check --deploy", *deploy, env=PRODUCTION),
    ]


def _frontend_checks(places: Places) -> list[Check]:
    if not has_frontend(places):
        return []
    program = find_npm()

    def npm(name: str, script: str, *, live: bool = False, on_failure: str = "") -> Check:
        return Check(f"ui {name}", [program, "run", script], places.frontend, live=live, on_failure=on_failure)

    return [
        npm("types", "typecheck"),
        npm("lint", "lint"),
        npm("format", "format:check", on_failure="Type: npm run format in frontend/"),
        npm("tests", "test", live=True),
    ]


def _test_runs(places: Places, postgres_url: str) -> list[Check]:
    def pytest(name: str, part: str, *options: str, env: Mapping[str, str] | None = None) -> Check:
        command: Command = [places.python, "-m", "pytest", *PLUGIN, "--part", part, *options]
        return Check(name, command, places.root, env=env or {}, live=True)

    return [
        pytest("pytest on SQLite", "fast", *PARALLEL),
        pytest("pytest on PostgreSQL", "database", *PARALLEL, env={"GLEANER_DATABASE_URL": postgres_url}),
        pytest("pytest with browser", "browser"),
        pytest("pytest end to end", "e2e"),
    ]
