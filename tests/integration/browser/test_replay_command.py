"""`./gleaner replay`: pictures in a folder, sentences on the screen, JSON last."""

import json
from pathlib import Path

import pytest

from backend.demo_site.process import SiteProcess
from backend.demo_site.truth import KINDS
from tests.integration.runners.live import LiveGleaner, template_of
from tests.integration.runners.test_crawling import network_of

pytestmark = [pytest.mark.live, pytest.mark.browser]


def test_pictures_are_written_and_steps_are_told(gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path) -> None:
    kind = KINDS["dynamic tabs"]
    file = {"version": 1, "name": "Replay", "templates": [{**template_of(kind), "actions": list(kind.actions)}]}
    url = f"{site.url}/dynamic/tabs"
    words = ("--template", kind.name, "--url", url, "--out", str(tmp_path / "pictures"), *network_of(site))
    output = gleaner.manage("replay", str(gleaner.write(file)), *words).stdout
    report = json.loads(output.strip().splitlines()[-1])
    assert [step["outcome"] for step in report["steps"]] == ["ok"] * (1 + len(kind.actions))
    assert (report["documents"], report["http_status"], report["failure"]) == (len(kind.documents()), 200, "")
    pictures = [Path(step["picture"]) for step in report["steps"]]
    assert pictures[0] == tmp_path / "pictures" / "00-open.jpg"
    assert {picture.read_bytes()[:3] for picture in pictures} == {b"\xff\xd8\xff"}
    assert f"open: Opened {url}." in output
    assert f"click: Clicked {kind.actions[0]['selector']}." in output


def test_a_template_that_is_not_there_is_told(gleaner: LiveGleaner) -> None:
    file = gleaner.write({"version": 1, "name": "Replay", "templates": [{"name": "One"}, {"name": "Two"}]})
    done = gleaner.manage("replay", str(file), "--url", "http://shop.example/", check=False)
    assert "The file has several templates. Choose one with --template: “One”, “Two”." in done.stderr
