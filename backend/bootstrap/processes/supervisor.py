"""Keeps the processes of `./gleaner up` running, and stops them together."""

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backend.bootstrap import console
from backend.bootstrap.errors import ChildDiedError
from backend.bootstrap.processes import tree
from backend.bootstrap.processes.children import Child, stop_all
from backend.bootstrap.processes.stop_signal import stop_signal

WATCH_SECONDS = 0.5
MAX_RESTARTS = 3
RESTART_WINDOW_SECONDS = 60.0


@dataclass
class Role:
    """One kind of process that `up` runs, and how to start it.

    One that has workers is stopped first, together with them: they hand back their work while everything else still
    answers. When it dies, its workers live on and its successor finds them.
    """

    name: str
    start: Callable[[], Child]
    has_workers: bool = False
    is_task: bool = False
    """Ends by itself and is not started again."""
    restarts: list[float] = field(default_factory=list)


class Supervisor:
    """Starts the roles in order. A process that dies later is reported with the end of its log and started again;
    one that keeps dying ends everything with ChildDiedError."""

    def __init__(self, roles: Sequence[Role]) -> None:
        self.roles = roles
        self.running: dict[str, Child] = {}

    def start(self) -> None:
        for role in self.roles:
            self.running[role.name] = role.start()

    def add(self, role: Role) -> None:
        """One more, while the others run."""
        self.roles = [*self.roles, role]
        self.running[role.name] = role.start()

    def stop(self) -> None:
        for has_workers in (True, False):
            names = [role.name for role in self.roles if role.has_workers is has_workers]
            stop_all([self.running.pop(name) for name in names if name in self.running])

    def check_all_alive(self) -> None:
        """For the time until everything is ready: whoever dies then would die again."""
        for child in self.running.values():
            if child.exit_code is not None:
                raise _obituary(child)

    def watch(self) -> None:
        """Returns when somebody asks to stop."""
        while not stop_signal.wait(WATCH_SECONDS):
            tree.bury_orphans()
            for role in self.roles:
                child = self.running.get(role.name)
                if child is None or child.exit_code is None:
                    continue
                if role.is_task:
                    self._finish(role)
                else:
                    self._restart(role, now=time.monotonic())

    def _finish(self, role: Role) -> None:
        child = self.running.pop(role.name)
        if child.exit_code:
            console.complain(_obituary(child))

    def _restart(self, role: Role, *, now: float) -> None:
        obituary = _obituary(self.running[role.name])
        self.running[role.name].send(signal.SIGKILL)  # what is left of its group might hold the port
        role.restarts = [at for at in role.restarts if now - at < RESTART_WINDOW_SECONDS]
        if len(role.restarts) >= MAX_RESTARTS:
            raise obituary
        console.complain(obituary)
        console.report(f"Starting {role.name} again.")
        role.restarts.append(now)
        self.running[role.name] = role.start()


def _obituary(child: Child) -> ChildDiedError:
    code = child.exit_code or 0
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    where = f" Its log is {child.log}." if child.log else ""
    return ChildDiedError(f"The {child.name} process {how}.{where}", detail=child.tail())
