import pytest

from backend.bootstrap.errors import CommandFailedError
from backend.bootstrap.processes.programs import answer_of, run_logged


def test_output_goes_to_the_log_with_the_command(tmp_path, capfd):
    run_logged(["sh", "-c", "echo quiet; echo loud >&2"], log=tmp_path / "log" / "setup.log")
    log = (tmp_path / "log" / "setup.log").read_text()
    assert "$ sh -c echo quiet; echo loud >&2\nquiet\nloud\n" in log
    assert capfd.readouterr() == ("", "")


def test_a_failure_says_what_to_do_and_shows_the_end(tmp_path):
    with pytest.raises(CommandFailedError) as failure:
        run_logged(["sh", "-c", "seq 1 50; exit 3"], log=tmp_path / "setup.log", on_failure="Check the network.")
    assert str(failure.value) == "“sh -c seq 1 50; exit 3” failed with exit code 3. Check the network."
    assert failure.value.detail.splitlines()[-1] == "50"
    assert "\n1\n" not in failure.value.detail


def test_an_answer_is_none_when_the_program_is_missing_or_fails():
    assert answer_of(["sh", "-c", "echo v20.1.0"]) == "v20.1.0"
    assert answer_of(["sh", "-c", "exit 1"]) is None
    assert answer_of(["no-such-program-anywhere"]) is None
