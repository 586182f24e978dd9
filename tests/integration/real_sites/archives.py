"""Real websites with ground truth: archives of pages and of what people read on them."""

import html
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
SITES = {"camera-pcnation": 234, "nbaplayer-wiki": 420, "job-dice": 250, "book-bookdepository": 250}


def folder() -> Path:
    """The folder of the archives; the test is skipped with a reason where there is none."""
    setting = os.environ.get("GLEANER_REAL_SITES", "")
    if not setting:
        pytest.skip("GLEANER_REAL_SITES names no folder with archives of real sites")
    return Path(setting)


def archive(site: str) -> zipfile.ZipFile:
    """The archive of a site; the test is skipped where it is not at hand."""
    path = folder() / f"{site}.zip"
    if not path.exists():
        pytest.skip(f"GLEANER_REAL_SITES has no {site}.zip")
    return zipfile.ZipFile(path)


def project(site: str) -> dict[str, object]:
    """The project file written for a site."""
    return json.loads((PROJECTS / f"{site}.json").read_text(encoding="utf-8"))


def pages(opened: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """(number, bytes) of every page."""
    for name in sorted(opened.namelist()):
        if name.startswith("pages/"):
            yield Path(name).stem, opened.read(name)


def truth(opened: zipfile.ZipFile, site: str, field: str) -> dict[str, list[str]]:
    """By page number the values of a field as people read them; entities resolved, white space collapsed."""
    lines = opened.read(f"truth/{site}-{field}.txt").decode("utf-8-sig").splitlines()[2:]
    rows = (line.split("\t") for line in lines)
    return {number: [_plain(value) for value in values if value != "<NULL>"] for number, _, *values in rows}


def _plain(value: str) -> str:
    return " ".join(html.unescape(value).split())
