import sys

import pytest

from backend.bootstrap.errors import StoppedError
from backend.bootstrap.suite.checks import Check
from backend.bootstrap.suite.runs import Outcome, pytest_summary, run_checks, table, vitest_summary


def check(tmp_path, name, script, **options):
    return Check(name, [sys.executable, "-c", script], tmp_path, **options)


def run(tmp_path, *checks):
    return run_checks(checks, {"WHO": "suite"}, log_folder=tmp_path / "log")


def test_a_failure_does_not_stop_the_others_and_is_the_verdict(tmp_path, capsys):
    checks = [
        check(tmp_path, "lint", "print('line too long'); raise SystemExit(1)", on_failure="Type: ruff format"),
        check(tmp_path, "types", "print('all is well')"),
    ]
    assert run(tmp_path, *checks) == 1
    heard = capsys.readouterr().out
    assert "line too long" in heard
    assert "Type: ruff format" in heard
    assert "all is well" not in heard
    assert "\n  FAILED  lint " in heard
    assert "\n  ok      types " in heard
    assert heard.splitlines()[-1].startswith("FAILED: lint; pytest: no tests ran")


def test_everything_good_is_zero(tmp_path, capsys):
    assert run(tmp_path, check(tmp_path, "types", "")) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("All 1 checks passed")


def test_a_live_check_is_shown_and_gets_its_environment(tmp_path, capsys):
    script = "import os; print(os.environ['WHO'], os.environ['WHERE'])"
    assert run(tmp_path, check(tmp_path, "tests", script, live=True, env={"WHERE": "here"})) == 0
    assert "suite here\n" in capsys.readouterr().out
    assert (tmp_path / "log" / "tests.log").read_text() == "suite here\n"


def test_ctrl_c_stops_the_suite(tmp_path, asked_to_stop):
    with pytest.raises(StoppedError):
        run(tmp_path, check(tmp_path, "tests", "import time; time.sleep(600)", live=True))


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("====== 12 passed, 3 skipped in 4.05s ======", "12 passed, 3 skipped"),
        (
            "\x1b[31m=== \x1b[1m1 failed\x1b[0m, 7 passed, 2 warnings in 100.20s (0:01:40) ===\x1b[0m",
            "1 failed, 7 passed, 2 warnings",
        ),
        ("============ no tests ran in 0.01s ============", "no tests ran"),
        ("===== 2 errors in 0.30s =====", "2 errors"),
        ("Success: no issues found in 43 source files", ""),
    ],
)
def test_pytests_closing_line_is_found(line, summary):
    assert pytest_summary(f"collected\n{line}\n") == summary


def test_vitests_closing_lines_are_found():
    closing = "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m7 passed\x1b[39m\x1b[22m (7)"
    assert vitest_summary(f" Test Files  2 passed (2)\n{closing}\n   Duration  2s\n") == "7 passed (7)"
    assert vitest_summary("Success: no issues found") == ""


def test_the_counts_of_all_runs_are_added_up():
    outcomes = [
        Outcome("pytest on SQLite", 0, 10.0, "12 passed, 3 skipped"),
        Outcome("pytest on PostgreSQL", 1, 5.5, "1 failed, 30 passed"),
        Outcome("ui tests", 0, 0.5, "99 passed (99)"),
    ]
    assert (
        table(outcomes).splitlines()[-1]
        == "FAILED: pytest on PostgreSQL; pytest: 42 passed, 3 skipped, 1 failed in 16 s"
    )
