"""What the documents say is what the code does."""

import re
from pathlib import Path

from backend.config.management.commands.project_file_schema import FILE, schema_text

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = (ROOT / "backend" / "config" / "settings.py").read_text(encoding="utf-8")
SETTINGS_DOC = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
COMMANDS_DOC = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def _variables(text: str) -> set[str]:
    return set(re.findall(r"\bGLEANER_[A-Z_]+\b", text))


def test_every_setting_is_documented() -> None:
    table = SETTINGS_DOC.split("Read by the command line")[0]
    documented = set(re.findall(r"^\| `(GLEANER_[A-Z_]+)`", table, flags=re.M))
    assert documented == _variables(SETTINGS)


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        path.relative_to(ROOT).as_posix()
        for package in ("backend/api", "backend/apps", "backend/search_engine", "crawler_node", "head_node")
        for path in (ROOT / package).rglob("*.py")
        if "os.environ" in path.read_text(encoding="utf-8") or "getenv" in path.read_text(encoding="utf-8")
    }
    assert readers == set()


def test_every_management_command_of_ours_is_documented() -> None:
    commands = {path.stem for path in (ROOT / "backend/config/management/commands").glob("[a-z]*.py")}
    missing = {name for name in commands if not re.search(rf"\b{name}\b", COMMANDS_DOC)}
    assert missing == set()


def test_the_committed_schema_of_the_project_file_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "type ./gleaner manage project_file_schema"


def test_every_key_of_the_project_file_is_explained() -> None:
    explained = (ROOT / "docs" / "project-file.md").read_text(encoding="utf-8")
    keys = set(re.findall(r'^ +"([a-z_]+)": \{$', schema_text(), flags=re.M))
    structure = {"items", "properties", "additionalProperties", "propertyNames"}
    missing = {key for key in keys - structure if not re.search(rf"\b{key}\b", explained)}
    assert missing == set()


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
            if not (document.parent / target).exists():
                broken.append(f"{document.relative_to(ROOT)} → {target}")
    assert broken == []


def test_every_command_is_explained_once() -> None:
    headings = re.findall(r"^## `\./gleaner ([a-z_-]+)", COMMANDS_DOC, flags=re.M)
    assert len(headings) == len(set(headings))
