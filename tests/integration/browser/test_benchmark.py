"""A short `./gleaner bench browser`: everyone finds every document, and the ratios come last."""

import json

import pytest

from tests.benchmarks.browser import main

pytestmark = pytest.mark.browser


def test_everyone_finds_everything_and_the_ratios_come_last(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--items", "2", "--lists", "1", "--rounds", "1", "--static-pages", "0"])
    summary = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert summary.keys() == {"cpu_ratio_to_naive", "cpu_ratio_to_playwright", "memory_mb"}
    assert summary["cpu_ratio_to_naive"] > 0
