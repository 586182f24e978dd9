"""A project file given to a command: imported, or refused in the command's words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backend.apps.errors import Invalid
from backend.apps.project_files import import_project, read_json
from backend.apps.projects.models import Project
from backend.config.choosing import local_owner_or_new


def import_file(path: Path, tell: Callable[[str], object]) -> tuple[Project, dict[str, Any]]:
    """The project that the file names, with what the file says in it, and the file's own words."""
    try:
        file = read_json(path.read_text(encoding="utf-8"))
        report = import_project(owner=local_owner_or_new(tell), file=file)
    except OSError as error:
        raise CommandError(f"{path} cannot be read ({error.strerror}). Check the path.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 text. Save it as UTF-8 and try again.") from error
    except Invalid as error:
        lines = [f"  {where or 'file'}: {' '.join(told)}" for where, told in error.fields.items()]
        raise CommandError("The file was not imported:\n" + "\n".join(lines)) from error
    return report.project, file


def choose_name(names: list[str], name: str | None, *, noun: str, remedy: str) -> str:
    """The one that is meant among those of a file; `remedy` is what to add where there is none."""
    known = ", ".join(f"“{known}”" for known in names)
    if not names:
        raise CommandError(f"The file has no {noun}. {remedy}")
    if name is not None and name not in names:
        raise CommandError(f"The file has no {noun} “{name}”. It has: {known}.")
    if name is None and len(names) > 1:
        raise CommandError(f"The file has several {noun}s. Choose one with --{noun}: {known}.")
    return name or names[0]
