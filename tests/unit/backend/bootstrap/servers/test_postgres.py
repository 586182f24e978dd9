import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from backend.bootstrap.processes.tree import living
from backend.bootstrap.servers.postgres import find_binaries, private_postgres


def make_installation(root: Path, *versions: str) -> None:
    for version in versions:
        (root / version / "bin").mkdir(parents=True)
        for program in ("initdb", "postgres"):
            (root / version / "bin" / program).touch()


def test_the_newest_installed_version_is_found(tmp_path):
    assert find_binaries(tmp_path) is None
    make_installation(tmp_path, "9.6", "15", "11")
    assert find_binaries(tmp_path) == tmp_path / "15" / "bin"


def test_a_client_without_a_server_does_not_count(tmp_path):
    (tmp_path / "15" / "bin").mkdir(parents=True)
    assert find_binaries(tmp_path) is None


def test_a_server_is_started_asks_for_its_password_and_is_gone_afterwards():
    with private_postgres() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("create database test_gleaner")
            assert connection.execute("select current_user, current_database()").fetchone() == ("gleaner", "gleaner")
            folder = Path(connection.execute("show data_directory").fetchone()[0])
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(url.replace("gleaner:", "gleaner:wrong"))
        server = int((folder / "postmaster.pid").read_text().splitlines()[0])
        assert living({server}) == {server}
    assert living({server}) == set()
    assert not folder.parent.exists()


def test_an_open_connection_does_not_keep_it_running():
    with private_postgres() as url:
        connection = psycopg.connect(url)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("select 1")
    connection.close()


RUN_UNTIL_STOPPED = """
from backend.bootstrap.processes.stop_signal import stop_signal
from backend.bootstrap.servers.postgres import private_postgres
stop_signal.install()
with private_postgres() as url:
    print(url, flush=True)
    stop_signal.wait(600)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_is_stopped_when_its_owner_is(number, this_clone):
    command = [sys.executable, "-c", RUN_UNTIL_STOPPED]
    with subprocess.Popen(command, cwd=this_clone.root, stdout=subprocess.PIPE, text=True) as owner:
        url = owner.stdout.readline().strip()
        with psycopg.connect(url) as connection:
            folder = Path(connection.execute("show data_directory").fetchone()[0])
        os.kill(owner.pid, number)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    assert not folder.parent.exists()
