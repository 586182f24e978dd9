"""Make this machine a crawler node: join a cluster, take jobs from its head node, and run their workers."""

import os
import socket
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError

from backend.apps.errors import UserFault
from backend.apps.nodes.join_token import JoinToken
from backend.apps.nodes.services import trust_node
from backend.config.node_agent import NodeAgent, Revoked, stop_on_signals
from backend.config.observing.ports import Pulse, serve_node
from backend.config.plain_command import PlainCommand


class Command(PlainCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--join", metavar="TOKEN", help="what `./gleaner nodes invite` printed; needed only once")
        parser.add_argument(
            "--name", help="join under this name with the database and Redis of the settings, without an invitation"
        )
        parser.add_argument("--address", default="", help="under which others reach this machine; shown to people")
        parser.add_argument(
            "--label", action="append", default=[], metavar="WORD", help="a word about this machine; may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self._told = _words(options)
        if options["join"]:
            self._join(options["join"])
        if options["name"]:
            name, token = options["name"], self._trust(options["name"])
        else:
            name, token = self._remembered()
        if not settings.REDIS_URL:
            raise CommandError(
                "A node hears from its head node through Redis. Set GLEANER_REDIS_URL, or join by token."
            )
        self.stderr.write(f"This machine is the node “{name}”. Ctrl-C ends it; its jobs go on elsewhere.")
        address = options["address"] or socket.gethostname()
        pulse = Pulse()
        serve_node(pulse)
        try:
            agent = NodeAgent(name=name, token=token, address=address, labels=options["label"])
            agent.run(stop_on_signals(), after_turn=pulse.beat)
        except Revoked:
            raise CommandError(f"The node “{name}” was revoked or given to another machine, so it has ended.") from None
        except UserFault as error:
            raise CommandError(str(error)) from error

    def _join(self, text: str) -> None:
        """Remember the token and start over with what it says."""
        try:
            token = JoinToken.decode(text)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        file = _file()
        file.touch(mode=0o600)
        file.write_text(token.encode())
        self._start_over(token)

    def _remembered(self) -> tuple[str, str]:
        if not _file().exists():
            raise CommandError(
                "This machine has not joined a cluster yet. On the head node type ./gleaner nodes invite NAME, then "
                "paste here what it prints."
            )
        token = JoinToken.decode(_file().read_text())
        if token.name != settings.NODE:
            self._start_over(token)
        return token.name, token.token

    def _start_over(self, token: JoinToken) -> None:
        """Settings are read once, at the start: so start again with those of the cluster."""
        env = {
            **os.environ,
            "GLEANER_NODE": token.name,
            "GLEANER_DATABASE_URL": token.database_url,
            "GLEANER_REDIS_URL": token.redis_url,
            "GLEANER_ENCRYPTION_KEY": token.encryption_keys,
        }
        words = [sys.executable, str(settings.BASE_DIR / "manage.py"), "node"]
        os.execve(sys.executable, [*words, *self._told], env)  # noqa: S606

    def _trust(self, name: str) -> str:
        if name != settings.NODE:
            os.execve(  # noqa: S606
                sys.executable, [sys.executable, *sys.argv], {**os.environ, "GLEANER_NODE": name}
            )
        try:
            return trust_node(name=name)
        except UserFault as error:
            raise CommandError(str(error)) from error


def _words(options: dict[str, Any]) -> list[str]:
    """What this machine says about itself, as words of a command."""
    given = [("--address", options["address"]), *(("--label", label) for label in options["label"])]
    return [f"{name}={value}" for name, value in given if value]


def _file() -> Path:
    return settings.VAR_DIR / "node.join"
