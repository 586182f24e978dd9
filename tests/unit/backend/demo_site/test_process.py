import urllib.request
from pathlib import Path

import pytest

from backend.demo_site import SiteOptions, SiteProcess


def test_serves_from_a_process_of_its_own(tmp_path: Path):
    with SiteProcess(SiteOptions(log_file=tmp_path / "log.jsonl")) as site:
        with urllib.request.urlopen(site.url + "/shop/") as answer:
            assert answer.status == 200
        assert [entry.target for entry in site.log_entries()] == ["/shop/"]
        site.turn(version=3)
        site.reset()
        assert site.log_entries() == []
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 1


def test_says_when_it_cannot_start(capfd: pytest.CaptureFixture[str]):
    with pytest.raises(RuntimeError, match="did not start"):
        SiteProcess(SiteOptions(host="203.0.113.1")).start()
    assert "203.0.113.1" in capfd.readouterr().err
