"""PostgreSQL and Redis on one of the hosts, that can be restarted and wiped."""

import os
import secrets
import shutil
import subprocess
import time
from pathlib import Path

from backend.bootstrap.servers.ports import private_free
from backend.bootstrap.servers.postgres import SERVER_USER, find_binaries
from tests.chaos._cluster_hosts import Hosts

# A commit that was answered must survive `-m immediate`; the operating system goes on, so nothing need reach the disk.
SETTINGS = {"fsync": "off", "full_page_writes": "off", "unix_socket_directories": "", "max_connections": "200"}


class Postgres:
    """A cluster of its own below `folder`; `url` is that of its empty database."""

    def __init__(self, hosts: Hosts, folder: Path) -> None:
        self._hosts, self._folder = hosts, folder / "postgres"
        self._binaries = find_binaries()
        assert self._binaries is not None, "PostgreSQL is missing"
        self._password = secrets.token_urlsafe(18)
        self._address, self._port = hosts.addresses["db"], private_free()
        self.url = f"postgres://gleaner:{self._password}@{self._address}:{self._port}/gleaner"

    def start(self) -> None:
        self._folder.mkdir()
        (self._folder / "password").write_text(self._password)
        if os.geteuid() == 0:
            shutil.chown(self._folder, SERVER_USER, SERVER_USER)
            shutil.chown(self._folder / "password", SERVER_USER, SERVER_USER)
        options = ["--username=gleaner", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        self._run("initdb", "-D", "data", "--pwfile=password", *options)
        settings = {**SETTINGS, "listen_addresses": self._address, "port": str(self._port)}
        with (self._folder / "data" / "postgresql.conf").open("a") as stream:
            stream.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        with (self._folder / "data" / "pg_hba.conf").open("a") as stream:
            stream.write("host all all 198.18.0.0/24 scram-sha-256\n")
        self._control("start")
        self._run("createdb", f"--host={self._address}", f"--port={self._port}", "--username=gleaner", "gleaner")

    def restart(self) -> None:
        """As after a crash: nobody is waited for, and the log is replayed."""
        self._control("stop", "-m", "immediate")
        self._control("start")

    def stop(self) -> None:
        self._control("stop", "-m", "immediate")

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", "-D", "data", "-w", "-l", "server.log", *words)

    def _run(self, program: str, *words: str) -> None:
        become = ["runuser", "-u", SERVER_USER, "--"] if os.geteuid() == 0 else []
        command = self._hosts.on("db", [*become, str(self._binaries / program), *words])
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PGPASSWORD": self._password}
        silence = subprocess.DEVNULL  # the server keeps what it is given: a pipe would never end
        subprocess.run(command, cwd=self._folder, env=env, stdout=silence, stderr=silence, check=True)


class Redis:
    """A server with a password that keeps nothing on disk."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._address, self._port, self._password = hosts.addresses["db"], private_free(), secrets.token_urlsafe(18)
        self.url = f"redis://:{self._password}@{self._address}:{self._port}/0"
        self._process: subprocess.Popen[bytes]

    def start(self) -> None:
        settings = f'bind {self._address}\nport {self._port}\nrequirepass {self._password}\nsave ""\nappendonly no\n'
        self._process = subprocess.Popen(
            self._hosts.on("db", ["redis-server", "-"]), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        assert self._process.stdin is not None
        self._process.stdin.write(settings.encode())
        self._process.stdin.close()
        while self._tell("PING"):
            time.sleep(0.1)

    def wipe(self) -> None:
        assert self._tell("FLUSHALL") == 0

    def restart(self) -> None:
        self.stop()
        self.start()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _tell(self, word: str) -> int:
        command = ["redis-cli", "-h", self._address, "-p", str(self._port), "--no-auth-warning", word]
        env = {**os.environ, "REDISCLI_AUTH": self._password}
        done = subprocess.run(self._hosts.on("db", command), env=env, capture_output=True, check=False)
        return done.returncode or int(done.stdout.strip() not in (b"PONG", b"OK"))
