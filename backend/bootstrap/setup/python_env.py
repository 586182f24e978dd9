"""The virtual environment, made by uv from the locked requirements; uv itself comes from PyPI when it is not here."""

import os
import platform
import re
import shutil
import sys
from pathlib import Path

from backend.bootstrap.places import Places
from backend.bootstrap.processes.children import Command
from backend.bootstrap.processes.programs import answer_of, run_logged
from backend.bootstrap.setup import debian
from backend.bootstrap.setup.steps import Step

UV_LOCK = Path("backend/bootstrap/setup/uv-requirements.txt")
RUN_LOCK, TEST_LOCK = "requirements.txt", "requirements-dev.txt"
MADE_BY_US = ".made-by-gleaner"
PEERS = Path("tests/benchmarks/requirements.txt")
OLDEST_UV = (0, 8)
NETWORK_ADVICE = "Check that this machine can reach PyPI (or set UV_INDEX_URL to your mirror) and start again."


def python_steps(places: Places, *, with_tests: bool) -> list[Step]:
    """Environment and packages. A `.venv` that is a symbolic link is somebody else's: used as it is, never changed."""
    if places.venv.is_symlink():
        return []
    return [*_uv_steps(places), _environment_step(places), _packages_step(places, with_tests=with_tests)]


def _private_uv(places: Places) -> Path:
    return places.setup / "uv"


def find_uv(places: Places) -> Path | None:
    """uv on PATH when it is not too old, else our own."""
    if (found := shutil.which("uv")) and _version(answer_of([found, "--version"])) >= OLDEST_UV:
        return Path(found)
    own = _private_uv(places) / "bin" / "uv"
    return own if own.exists() else None


def _version(text: str | None) -> tuple[int, ...]:
    """(0, 13, 7) from “uv 0.13.7 (…)”; nothing from nothing."""
    found = re.search(r"\d+(\.\d+)+", text or "")
    return tuple(int(number) for number in found.group().split(".")) if found else ()


def _uv_steps(places: Places) -> list[Step]:
    if find_uv(places) is not None:
        return []
    own = _private_uv(places)

    def make() -> None:
        shutil.rmtree(own, ignore_errors=True)
        run_logged([sys.executable, "-m", "venv", own], log=places.setup_log)
        pip: Command = [own / "bin" / "python", "-m", "pip", "install", "--require-hashes", "-r", places.root / UV_LOCK]
        run_logged(pip, log=places.setup_log, on_failure=NETWORK_ADVICE)

    return [
        debian.packages_step(places, "python3-venv", debian.VENV, purpose="is needed to install Python packages"),
        Step(name="uv", run=make, is_satisfied=lambda: find_uv(places) is not None),
    ]


def _environment_step(places: Places) -> Step:
    def make() -> None:
        command: Command = [_uv(places), "venv", "--clear", "--python", _base_python(), places.venv]
        run_logged(command, log=places.setup_log, env=_uv_environment())
        (places.venv / MADE_BY_US).touch()

    return Step(name="python environment", run=make, is_satisfied=lambda: is_usable(places.venv))


def is_usable(venv: Path) -> bool:
    """True for an environment of the Python that runs us, whoever made it: only another one is replaced."""
    try:
        written = (venv / "pyvenv.cfg").read_text()
    except OSError:
        return False
    version = re.search(r"^version(?:_info)? = (\d+\.\d+\.\d+)", written, re.MULTILINE)
    return version is not None and version.group(1) == platform.python_version() and (venv / "bin" / "python").exists()


def _packages_step(places: Places, *, with_tests: bool) -> Step:
    """Exactly the locked packages. What tests need stays installed once it is, whoever starts next."""
    installed = places.venv / ".gleaner-packages"  # inside, so that a new environment counts as empty
    had_tests = installed.exists() and installed.read_text() == TEST_LOCK
    lock = TEST_LOCK if with_tests or had_tests else RUN_LOCK

    def install() -> None:
        # From an environment that a person made, nothing is taken away.
        how = ["sync"] if (places.venv / MADE_BY_US).exists() else ["install", "-r"]
        command: Command = [_uv(places), "pip", *how, places.root / lock, "--require-hashes", "--python", places.python]
        run_logged(command, log=places.setup_log, env=_uv_environment(), on_failure=NETWORK_ADVICE)
        installed.write_text(lock)

    return Step(name="python packages", run=install, inputs=lambda: [places.root / lock], outputs=[installed])


def peers_python(places: Places) -> Path:
    return places.setup / "peers" / "bin" / "python"


def peers_steps(places: Places) -> list[Step]:
    """A second environment with our packages and those that benchmarks compare us with; none when none are listed."""
    locks = [places.root / TEST_LOCK, places.root / PEERS]
    folder = places.setup / "peers"
    if not locks[1].exists():
        return []

    def make() -> None:
        uv, log = _uv(places), places.setup_log
        run_logged([uv, "venv", "--clear", "--python", _base_python(), folder], log=log, env=_uv_environment())
        install: Command = [uv, "pip", "install", "--python", peers_python(places), "-r", locks[0], "-r", locks[1]]
        run_logged(install, log=log, env=_uv_environment(), on_failure=NETWORK_ADVICE)

    facts = [sys.base_prefix, sys.version]
    step = Step("benchmark peers", make, inputs=lambda: locks, facts=facts, outputs=[peers_python(places)])
    return [*_uv_steps(places), step]


def _base_python() -> str:
    """The interpreter below the environment that may be active in the person's shell."""
    return str(getattr(sys, "_base_executable", sys.executable))


def _uv(places: Places) -> Path:
    uv = find_uv(places)
    assert uv is not None  # the step before has made it
    return uv


def _uv_environment() -> dict[str, str]:
    """uv must look at the environment we name, not at one that happens to be active in the person's shell."""
    return {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
