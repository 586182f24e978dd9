"""Run the demo site alone: a small shop, a magazine, and pages that misbehave, to try crawls on."""

from collections.abc import Sequence
from typing import NoReturn

from backend.bootstrap.places import Places
from backend.bootstrap.processes.foreground import become_module
from backend.bootstrap.setup.disk import check_writable
from backend.bootstrap.setup.plan import steps_to_manage
from backend.bootstrap.setup.steps import Setup


def run(arguments: Sequence[str], places: Places) -> NoReturn:
    check_writable(places)
    Setup(places).carry_out(steps_to_manage(places))
    become_module("backend.demo_site", arguments, python=places.python, places=places)
