import os
import subprocess
import sys

import pytest

TESTS = {
    "tests/unit/test_things.py": """
import time
import pytest
from django.test import TestCase

def test_pure(): ...

@pytest.mark.parametrize("body", [time.time_ns().to_bytes(8, "big"), b"plain text"])
def test_bytes(body): ...

def test_with_fixture(db): ...

@pytest.fixture
def member(db): ...

def test_with_fixture_of_fixture(member): ...

@pytest.mark.django_db
def test_marked(): ...

@pytest.mark.postgres
def test_for_postgres(): ...

@pytest.mark.browser
def test_page_in_browser(): ...

class TestCases(TestCase):
    def test_case(self): ...
""",
    "tests/e2e/test_tour.py": "def test_tour(db): ...",
}
DATABASE = {"test_with_fixture", "test_with_fixture_of_fixture", "test_marked", "test_case"}


@pytest.fixture
def little_suite(tmp_path, this_clone):
    """Runs a little suite in a pytest of its own; returns what it printed."""
    for name, text in TESTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "settings.py").write_text("SECRET_KEY = 'x'\nDATABASES = {}\nUSE_TZ = True\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    postgres\n    browser\n")

    def printed(*options, **settings):
        plugin = ["-p", "backend.bootstrap.suite.pytest_parts", "--ds=settings", "-p", "no:cacheprovider"]
        command = [sys.executable, "-m", "pytest", *plugin, "-q", *options]
        env = {**os.environ, "PYTHONPATH": f"{this_clone.root}:{tmp_path}", **settings}
        answer = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stdout + answer.stderr
        return answer.stdout

    return printed


@pytest.fixture
def collect(little_suite):
    """The names of the tests that `--part` chooses."""

    def names(*options):
        lines = little_suite("--collect-only", *options).splitlines()
        return {line.rpartition("::")[2] for line in lines if "::" in line}

    return names


def test_each_part_has_its_tests_and_none_is_forgotten(collect):
    fast, database, browser, e2e = (collect(f"--part={part}") for part in ("fast", "database", "browser", "e2e"))
    assert fast == {"test_pure", "test_bytes[body-8-bytes]", "test_bytes[plain text]"} | DATABASE
    assert database == {"test_for_postgres"} | DATABASE
    assert browser == {"test_page_in_browser"}
    assert e2e == {"test_tour"}
    assert collect() == fast | database | browser | e2e


@pytest.mark.parametrize(
    ("database", "became"), [("sqlite:///some.sqlite3", "1 skipped"), ("postgres://somewhere", "1 passed")]
)
def test_what_needs_postgres_is_skipped_on_sqlite_with_what_to_type(little_suite, database, became):
    printed = little_suite("-rs", "-k", "test_for_postgres", GLEANER_DATABASE_URL=database)
    assert became in printed
    assert ("./gleaner test --postgres" in printed) == ("skipped" in became)
