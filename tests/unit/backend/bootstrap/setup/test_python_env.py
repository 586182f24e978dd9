import platform
import subprocess
import sys

import pytest

from backend.bootstrap.setup.python_env import RUN_LOCK, TEST_LOCK, find_uv, is_usable, peers_steps, python_steps
from backend.bootstrap.setup.steps import Setup


@pytest.fixture
def uv(tmp_path, monkeypatch):
    """A uv that writes down what it was asked for; `uv venv` makes an environment as the real one does."""
    program = tmp_path / "bin" / "uv"
    program.parent.mkdir()
    program.write_text(
        f"""#!/bin/sh
if [ "$1" = --version ]; then echo "uv 0.13.7 (test)"; exit; fi
echo "$@" >> {tmp_path}/asked
if [ "$1" = venv ]; then
  for folder; do :; done
  mkdir -p $folder/bin; touch $folder/bin/python; echo "version_info = {platform.python_version()}" > $folder/pyvenv.cfg
fi
"""
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return tmp_path / "asked"


@pytest.fixture
def locked(places):
    for name in (RUN_LOCK, TEST_LOCK):
        (places.root / name).write_text(f"{name}\n")
    return places


def set_up(places, *, with_tests=False):
    return Setup(places).carry_out(python_steps(places, with_tests=with_tests))


def installs(uv):
    return [line for line in uv.read_text().splitlines() if line.startswith("pip")]


def test_an_empty_clone_gets_an_environment_with_exactly_the_locked_packages(locked, uv):
    assert set_up(locked) == 2
    assert uv.read_text().splitlines()[0].startswith("venv --clear --python ")
    python = locked.venv / "bin" / "python"
    assert installs(uv) == [f"pip sync {locked.root / RUN_LOCK} --require-hashes --python {python}"]
    assert set_up(locked) == 0


def test_what_tests_need_is_added_once_and_stays(locked, uv):
    set_up(locked)
    assert set_up(locked, with_tests=True) == 1
    assert set_up(locked) == 0
    (locked.root / TEST_LOCK).write_text("changed\n")
    assert set_up(locked) == 1
    asked = [" ".join(line.split()[:3]) for line in installs(uv)]
    assert asked == [f"pip sync {locked.root / lock}" for lock in (RUN_LOCK, TEST_LOCK, TEST_LOCK)]


def test_an_environment_that_a_person_made_is_kept_and_nothing_is_taken_from_it(locked, uv):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", locked.venv], check=True)
    assert is_usable(locked.venv)
    for _ in range(2):
        assert set_up(locked) == 1
        (locked.root / RUN_LOCK).write_text("changed\n")
    asked = [" ".join(line.split()[:4]) for line in uv.read_text().splitlines()]
    assert asked == [f"pip install -r {locked.root / RUN_LOCK}"] * 2


def test_an_environment_of_another_python_is_replaced(locked, uv):
    set_up(locked)
    (locked.venv / "pyvenv.cfg").write_text("version_info = 3.10.4\n")
    assert not is_usable(locked.venv)
    assert set_up(locked) == 1


def test_an_environment_whose_python_is_gone_is_replaced(locked, uv):
    set_up(locked)
    (locked.venv / "bin" / "python").unlink()
    assert not is_usable(locked.venv)


def test_a_linked_environment_is_somebody_elses(locked, uv, tmp_path):
    (tmp_path / "theirs").mkdir()
    locked.venv.symlink_to(tmp_path / "theirs")
    assert python_steps(locked, with_tests=True) == []
    assert not uv.exists()


def test_an_old_uv_is_not_used(locked, uv, tmp_path):
    assert find_uv(locked) == tmp_path / "bin" / "uv"
    (tmp_path / "bin" / "uv").write_text("#!/bin/sh\necho uv 0.4.30\n")
    assert find_uv(locked) is None
    assert [step.name for step in python_steps(locked, with_tests=False)][:2] == ["python3-venv", "uv"]


def test_peers_get_an_environment_of_their_own_when_there_are_any(locked, uv):
    assert peers_steps(locked) == []
    peers = locked.root / "tests" / "benchmarks" / "requirements.txt"
    peers.parent.mkdir(parents=True)
    peers.write_text("scrapy\n")
    assert Setup(locked).carry_out(peers_steps(locked)) == 1
    assert not locked.venv.exists()
    assert installs(uv)[0].endswith(f"-r {locked.root / TEST_LOCK} -r {peers}")
