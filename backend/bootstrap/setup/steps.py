"""Set-up steps: each is done once, and again only when what it is made from has changed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.bootstrap import console
from backend.bootstrap.places import Places
from backend.bootstrap.processes.stop_signal import stop_signal
from backend.bootstrap.setup.locks import hold_after_waiting
from backend.bootstrap.setup.stamps import StampBook, digest


@dataclass(frozen=True)
class Step:
    """One piece of set-up.

    With `is_satisfied` the machine itself is asked whether there is anything to do; without it, the step is done
    when all `outputs` exist and its stamp equals the digest of `inputs` (called late: an earlier step may make
    them) and `facts`.
    """

    name: str
    run: Callable[[], None]
    inputs: Callable[[], Iterable[Path]] = tuple
    facts: Sequence[str] = ()
    outputs: Sequence[Path] = ()
    is_satisfied: Callable[[], bool] | None = field(default=None)


class Setup:
    """Carries steps out in order, one process at a time, with one visible line for each that has work to do."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.stamps = StampBook(places.setup / "stamps")

    def carry_out(self, steps: Sequence[Step]) -> int:
        """Returns how many steps had work to do."""
        if not any(self.is_due(step) for step in steps):
            return 0
        console.report(f"Setting up what is missing; the details go to {self.places.setup_log}")
        with hold_after_waiting(self.places.setup / "setup.lock", reason="another Gleaner is setting up"):
            return sum(self._carry_out_one(step) for step in steps)

    def _carry_out_one(self, step: Step) -> bool:
        stop_signal.check()
        if not self.is_due(step):
            return False
        made_from = self._digest(step)  # before the work: a file that changes meanwhile makes the step due again
        self.stamps.remove(step.name)
        with console.timed_line(step.name):
            step.run()
        if step.is_satisfied is None:
            self.stamps.write(step.name, made_from)
        return True

    def is_due(self, step: Step) -> bool:
        if step.is_satisfied is not None:
            return not step.is_satisfied()
        if not all(output.exists() for output in step.outputs):
            return True
        return not self.stamps.is_current(step.name, self._digest(step))

    def _digest(self, step: Step) -> str:
        return digest(step.inputs(), root=self.places.root, facts=step.facts)
