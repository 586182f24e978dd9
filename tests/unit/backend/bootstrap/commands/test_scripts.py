import os
import subprocess
import sys

import pytest

from backend.bootstrap.commands.scripts import BENCHMARKS, CHAOS, listing, run, run_benchmark, run_chaos
from backend.bootstrap.errors import ActionNeededError


@pytest.fixture
def benchmark_file(places):
    file = places.root / "tests" / "benchmarks" / "http_lane.py"
    file.parent.mkdir(parents=True)
    file.write_text('"""Pages per second against Scrapy.\n\nMore."""\n')
    return file


def test_without_a_name_the_scripts_are_listed(places, benchmark_file, capsys):
    assert run_benchmark([], places) == 0
    assert "  http_lane               Pages per second against Scrapy.\n" in capsys.readouterr().out
    assert run_chaos([], places) == 0
    assert "there is no chaos run yet" in capsys.readouterr().out


def test_an_unknown_name_suggests_the_nearest(places, benchmark_file):
    with pytest.raises(ActionNeededError, match=r"There is no benchmark “htp-lane”\. Did you mean http_lane\?"):
        run(BENCHMARKS, ["htp-lane"], places)
    with pytest.raises(ActionNeededError, match=r"There is no chaos run “power”\. \./gleaner chaos lists them\."):
        run(CHAOS, ["power"], places)
    assert "./gleaner bench NAME" in listing(BENCHMARKS, places)


BECOME = """
import sys
from pathlib import Path
from backend.bootstrap.places import Places
from backend.bootstrap.processes.foreground import become_module
root = Path(sys.argv[1])
places = Places(root=root, var=root / "var")
become_module("tests.benchmarks.where", ["--option"], python=Path(sys.executable), places=places)
"""


def test_a_script_runs_in_the_persons_folder_with_our_packages(this_clone, places, tmp_path):
    script = places.root / "tests" / "benchmarks" / "where.py"
    script.parent.mkdir(parents=True)
    script.write_text("import os, sys; print(os.getcwd(), *sys.argv[1:])")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "tests.py").write_text("raise SystemExit('not ours')")
    command = [sys.executable, "-P", "-c", BECOME, str(places.root)]
    env = {**os.environ, "PYTHONPATH": str(this_clone.root)}
    answer = subprocess.run(command, cwd=elsewhere, env=env, capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.stderr) == (f"{elsewhere} --option\n", "")
