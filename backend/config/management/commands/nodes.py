"""List the nodes and what they have to give; invite, revoke, drain and forget them (PBS people know pbsnodes)."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import CommandError

from backend.apps.errors import UserFault
from backend.apps.jobs.clock import database_now
from backend.apps.nodes.invitations import write_invitation
from backend.apps.nodes.models import Node
from backend.apps.nodes.reasons import reason_of
from backend.apps.nodes.selectors import judged_nodes, taken_slots
from backend.apps.nodes.services import allow_node, forget_node, localhost, revoke_node, set_draining
from backend.config.plain_command import PlainCommand
from backend.config.tables import as_json, table

COLUMNS = ("name", "state", "workers", "http_slots", "browser_slots", "load", "memory_free", "disk_free", "last_seen")
COLUMNS = (*COLUMNS, "labels")
GIGABYTE = 1e9
EXAMPLES = """
examples:
  ./gleaner nodes
  ./gleaner nodes invite crawler-2 --host 10.0.0.1      the one command to paste on the new machine
  ./gleaner nodes drain crawler-2                       it finishes what it has and gets nothing new
  ./gleaner nodes revoke crawler-2                      its login ends, its jobs go on elsewhere
  ./gleaner nodes forget crawler-2                      it is away for good: take it out of the list
"""


class Command(PlainCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def create_parser(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_parser(*args, formatter_class=RawDescriptionHelpFormatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = ["list", "invite", "revoke", "allow", "drain", "undrain", "forget"]
        parser.add_argument("action", nargs="?", default="list", choices=actions)
        parser.add_argument("name", nargs="?", help="the node")
        parser.add_argument("--json", action="store_true", help="for programs")
        parser.add_argument("--host", help="the address under which the new machine reaches PostgreSQL and Redis")

    def handle(self, *args: Any, **options: Any) -> None:
        localhost()  # is always there, also before any head has led
        if options["action"] == "list":
            self._list(is_json=options["json"])
            return
        if not options["name"]:
            raise CommandError(f"Say which node: ./gleaner nodes {options['action']} NAME.")
        try:
            getattr(self, f"_{options['action']}")(options["name"], options)
        except UserFault as error:
            raise CommandError(str(error)) from error

    def _list(self, *, is_json: bool) -> None:
        rows = describe_nodes()
        if is_json:
            self.stdout.write(as_json(rows))
            return
        told = [f"{row['name']}: {row['reason']}" for row in rows if row["reason"]]
        self.stdout.write("\n".join([table([_for_people(row) for row in rows], COLUMNS), *told]))

    def _invite(self, name: str, options: dict[str, Any]) -> None:
        invitation = write_invitation(name=name, host=options["host"] or "")
        if options["json"]:
            self.stdout.write(as_json({"name": name, "token": invitation.token}))
            return
        if invitation.is_local_only:
            self.stderr.write(
                "PostgreSQL or Redis listens on this machine only. Let them listen on an address that the new machine "
                "reaches, and say which with --host.\n"
            )
        self.stderr.write(
            f"Paste this on the new machine, in a clone of Gleaner. It is secret, and works until\n"
            f"./gleaner nodes revoke {name}:\n"
        )
        self.stdout.write(invitation.command)

    def _revoke(self, name: str, options: dict[str, Any]) -> None:
        revoke_node(node=_node(name))
        self._tell(name, "cannot connect any more.", options)

    def _allow(self, name: str, options: dict[str, Any]) -> None:
        allow_node(node=_node(name))
        self._tell(name, "may join again: ./gleaner node --name there.", options)

    def _forget(self, name: str, options: dict[str, Any]) -> None:
        judged_nodes(now=database_now())
        forget_node(node=_node(name))
        if options["json"]:
            self.stdout.write(as_json({"name": name}))
        else:
            self.stderr.write(f"The node “{name}” is forgotten.")

    def _drain(self, name: str, options: dict[str, Any]) -> None:
        set_draining(node=_node(name), is_draining=True)
        self._tell(name, "finishes what it has and gets nothing new.", options)

    def _undrain(self, name: str, options: dict[str, Any]) -> None:
        set_draining(node=_node(name), is_draining=False)
        self._tell(name, "gets jobs again.", options)

    def _tell(self, name: str, sentence: str, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(as_json(next(row for row in describe_nodes() if row["name"] == name)))
        else:
            self.stderr.write(f"The node “{name}” {sentence}")


def describe_nodes() -> list[dict[str, Any]]:
    """Every node, judged now: also while no head node runs."""
    judged_nodes(now=database_now())
    taken = taken_slots()
    fields = ("name", "address", "cores", "memory_bytes", "http_slots", "browser_slots", "labels", "version", "load")
    fields = (*fields, "memory_free_bytes", "disk_free_bytes", "heartbeat_at")
    return [
        {
            **{field: getattr(node, field) for field in fields},
            "state": node.state,
            "reason": reason_of(node),
            "workers": taken[node.pk].workers,
        }
        for node in Node.objects.order_by("name")
    ]


def _for_people(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "memory_free": f"{row['memory_free_bytes'] / GIGABYTE:.1f} GB",
        "disk_free": f"{row['disk_free_bytes'] / GIGABYTE:.1f} GB",
        "last_seen": row["heartbeat_at"],
    }


def _node(name: str) -> Node:
    node = Node.objects.filter(name=name).first()
    if node is None:
        known = ", ".join(Node.objects.order_by("name").values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no node “{name}”. Known: {known}.")
    return node
