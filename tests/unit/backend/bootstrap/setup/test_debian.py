import os

import pytest

from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.setup import debian
from backend.bootstrap.setup.debian import Package, packages_step


def step_for(places, *packages):
    return packages_step(places, "chromium", packages, purpose="are needed for browser crawls")


@pytest.fixture
def apt(tmp_path, monkeypatch):
    """An apt-get that writes down what it was asked for."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "apt-get"
    program.write_text(f'#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> {tmp_path}/asked\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return tmp_path / "asked"


ABSENT, PRESENT = Package("chromium", lambda: False), Package("chromium-driver", lambda: True)


def test_nothing_is_asked_for_when_nothing_is_missing(places, apt):
    assert step_for(places, PRESENT).is_satisfied()
    assert not step_for(places, PRESENT, ABSENT).is_satisfied()
    assert not apt.exists()


def test_root_installs_only_what_is_missing_after_one_update(places, apt, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    step_for(places, PRESENT, ABSENT).run()
    assert apt.read_text().splitlines() == [
        "noninteractive update -q",
        "noninteractive install -q -y --no-install-recommends chromium",
    ]


def test_others_get_the_command_to_type(places, apt, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(ActionNeededError) as refusal:
        step_for(places, ABSENT).run()
    typed = "sudo sh -c 'apt-get update && apt-get install -y chromium'"
    assert str(refusal.value) == f"chromium are needed for browser crawls. Type: {typed} and start again."
    assert not apt.exists()


def test_other_systems_get_a_sentence(places, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ActionNeededError, match="this is not a Debian system"):
        step_for(places, ABSENT).run()


def test_system_programs_are_found_though_not_on_a_persons_path(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    assert debian.search_path().split(":")[-2:] == ["/usr/sbin", "/sbin"]
