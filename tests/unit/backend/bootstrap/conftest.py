from pathlib import Path

import pytest

from backend.bootstrap.places import Places
from backend.bootstrap.processes.stop_signal import stop_signal
from backend.bootstrap.setup.frontend import frontend_steps
from backend.bootstrap.setup.kernels import kernel_steps
from backend.bootstrap.setup.python_env import python_steps
from backend.bootstrap.setup.steps import Setup

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A clone with nothing in it."""
    return Places(root=tmp_path, var=tmp_path / "var")


@pytest.fixture
def this_clone() -> Places:
    return Places(root=ROOT, var=ROOT / "var")


@pytest.fixture
def set_up_clone(this_clone):
    """This clone, where nothing is left to install: a test must not change the environment that it runs in."""
    steps = [*python_steps(this_clone, with_tests=True), *frontend_steps(this_clone), *kernel_steps(this_clone)]
    if due := [step.name for step in steps if Setup(this_clone).is_due(step)]:
        pytest.skip(f"not set up by ./gleaner test: {', '.join(due)}")
    return this_clone


@pytest.fixture
def asked_to_stop():
    """As if Ctrl-C had been pressed once."""
    stop_signal.requested = 1
    yield stop_signal
    stop_signal.requested = 0
