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
