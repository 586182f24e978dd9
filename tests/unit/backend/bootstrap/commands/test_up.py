import argparse
import errno
import socket
import subprocess
import sys

import pytest

from backend.bootstrap.commands import up
from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places
from backend.bootstrap.servers.ports import private_free
from backend.bootstrap.setup import disk
from backend.bootstrap.setup.locks import hold


def test_a_taken_port_is_refused_with_one_to_use_instead(places):
    with socket.create_server(("127.0.0.1", private_free())) as server:
        port = server.getsockname()[1]
        with pytest.raises(ActionNeededError, match=rf"Port {port} is taken .* \./gleaner up --port (\d+)$") as refusal:
            up.run(["--port", str(port)], places)
    assert str(port) not in str(refusal.value).split("--port")[1]
    assert not places.venv.exists()


def test_a_port_that_may_not_be_used_says_why(places, monkeypatch):
    monkeypatch.setattr(up, "why_not_usable", lambda port: errno.EACCES)
    with pytest.raises(
        ActionNeededError, match=r"Port 80 cannot be used \(Permission denied\)\. Choose one above 1023"
    ):
        up.run(["--port", "80"], places)


@pytest.mark.parametrize("text", ["0", "65536", "-1", "http", "80.5"])
def test_a_number_that_is_no_port_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="choose a number from 1 to 65535"):
        up.port_number(text)


def test_a_second_start_on_the_same_folder_is_refused(places):
    with hold(places.var / "up.lock", port=8123), pytest.raises(ActionNeededError) as refusal:
        up.run([], places)
    assert "http://127.0.0.1:8123" in str(refusal.value)
    assert "GLEANER_VAR=" in str(refusal.value)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "var").write_text("a file where a folder should be")
    with pytest.raises(ActionNeededError, match=r"Gleaner cannot write into .*/var/setup .* GLEANER_VAR"):
        up.run([], Places(root=tmp_path, var=tmp_path / "var"))


def test_a_full_disk_is_told_before_anything_is_installed(places, monkeypatch):
    monkeypatch.setattr(disk, "FIRST_SETUP_BYTES", 2**60)
    with pytest.raises(ActionNeededError, match=r"only \d+\.\d GB free .* Free some space and start again"):
        up.run(["--port", str(private_free())], places)
    assert not places.venv.exists()


def test_an_address_that_is_no_database_is_refused(places):
    with pytest.raises(ActionNeededError, match="must look like postgres://user:password@host:5432/gleaner"):
        up.run(["--port", str(private_free()), "--database", "mysql://db"], places)
    assert not places.venv.exists()


def test_the_data_folder_is_for_its_owner_alone(places):
    with pytest.raises(ActionNeededError):
        up.run(["--port", str(private_free()), "--database", "mysql://db"], places)
    assert places.var.stat().st_mode & 0o777 == 0o700


def test_the_sentence_reaches_the_terminal_without_a_traceback(this_clone, tmp_path):
    with socket.create_server(("127.0.0.1", private_free())) as server:
        command = [sys.executable, this_clone.root / "gleaner", "up", "--port", str(server.getsockname()[1])]
        env = {"GLEANER_VAR": str(tmp_path), "PATH": "/usr/bin:/bin"}
        answer = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.count("\n") == 1
