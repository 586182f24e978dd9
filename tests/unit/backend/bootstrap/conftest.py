from pathlib import Path

import pytest

from backend.bootstrap.places import Places
from backend.bootstrap.processes.stop_signal import stop_signal

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A clone with nothing in it."""
    return Places(root=tmp_path, var=tmp_path / "var")


@pytest.fixture
def this_clone() -> Places:
    return Places(root=ROOT, var=ROOT / "var")


@pytest.fixture
def asked_to_stop():
    """As if Ctrl-C had been pressed once."""
    stop_signal.requested = 1
    yield stop_signal
    stop_signal.requested = 0
