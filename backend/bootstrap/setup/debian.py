"""Debian packages: installed when we may, named with the command to type when we may not."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places
from backend.bootstrap.processes.programs import run_logged
from backend.bootstrap.servers import postgres
from backend.bootstrap.setup.steps import Step


@dataclass(frozen=True)
class Package:
    """A Debian package, and the question whether what it brings is already here (from Debian or elsewhere)."""

    name: str
    is_present: Callable[[], bool]


def _on_path(program: str) -> Callable[[], bool]:
    return lambda: shutil.which(program, path=search_path()) is not None


def search_path() -> str:
    """PATH with the folders of system programs, which people's PATH leaves out on Debian."""
    return os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"])


BROWSER = (
    Package("chromium", _on_path("chromium")),
    Package("chromium-driver", _on_path("chromedriver")),
    Package("chromium-headless-shell", _on_path("chromium-headless-shell")),
)
TEST_SERVERS = (
    Package("postgresql", lambda: postgres.find_binaries() is not None),
    Package("redis-server", _on_path("redis-server")),
    Package("iproute2", _on_path("ip")),
)
VENV = (Package("python3-venv", lambda: has_module("ensurepip")),)


def has_module(name: str) -> bool:
    return find_spec(name) is not None


def missing(packages: Sequence[Package]) -> list[str]:
    return [package.name for package in packages if not package.is_present()]


def packages_step(places: Places, name: str, packages: Sequence[Package], *, purpose: str) -> Step:
    """A step that installs what is missing; `purpose` completes “… is needed” in the sentence when it cannot."""
    return Step(
        name=name,
        run=lambda: install(missing(packages), log=places.setup_log, purpose=purpose),
        is_satisfied=lambda: not missing(packages),
    )


def install(names: Sequence[str], *, log: Path, purpose: str) -> None:
    command = f"apt-get update && apt-get install -y {' '.join(names)}"
    if shutil.which("apt-get") is None:
        raise ActionNeededError(
            f"{' and '.join(names)} {purpose}, and this is not a Debian system. "
            f"Install the same programs with your system's package tool and start again."
        )
    if os.geteuid() != 0:
        raise ActionNeededError(f"{' and '.join(names)} {purpose}. Type: sudo sh -c '{command}' and start again.")
    advice = f"Check the network and the Debian mirrors, or type it yourself: {command}"
    for part in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", *names]):
        run_logged(["apt-get", *part], log=log, env=_quiet(os.environ), on_failure=advice)


def _quiet(env: Mapping[str, str]) -> dict[str, str]:
    return {**env, "DEBIAN_FRONTEND": "noninteractive"}
