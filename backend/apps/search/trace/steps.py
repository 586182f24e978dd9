"""The steps of a page's way into the results, and how a trace tells them."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class StepName(StrEnum):
    DISCOVERED = "discovered"
    FILTERED = "filtered"
    FETCHED = "fetched"
    EXTRACTED = "extracted"
    DEDUPLICATED = "deduplicated"
    INDEXED = "indexed"
    RANKED = "ranked"


class StepState(StrEnum):
    PASSED = "passed"
    STOPPED = "stopped"
    NOT_REACHED = "not reached"


STEP_NAMES = [(str(name), str(name)) for name in StepName]


@dataclass(slots=True)
class Trace:
    """Steps are told in order; the first that stops ends the way, later ones are not reached."""

    url: str
    run: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)
    found_on: list[dict[str, Any]] = field(default_factory=list)
    page: dict[str, Any] | None = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    indexes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_stopped(self) -> bool:
        return any(step["state"] == StepState.STOPPED for step in self.steps)

    def passed(self, name: StepName, sentence: str, *, at: datetime | None = None) -> None:
        self._tell(name, StepState.PASSED, sentence, at)

    def stopped(self, name: StepName, sentence: str, *, at: datetime | None = None) -> None:
        self._tell(name, StepState.STOPPED, sentence, at)

    def passed_over(self, name: StepName, sentence: str) -> None:
        """The step was not taken, and yet a later one can tell what would have happened."""
        self._tell(name, StepState.NOT_REACHED, sentence, None)

    def finish(self, *, with_query: bool) -> dict[str, Any]:
        """The whole answer, with the steps that were not reached."""
        told = {step["name"] for step in self.steps}
        wanted = [name for name in StepName if with_query or name is not StepName.RANKED]
        for name in wanted:
            if name not in told:
                self._tell(name, StepState.NOT_REACHED, "", None)
        stopped = next((step for step in self.steps if step["state"] == StepState.STOPPED), None)
        return {
            "url": self.url,
            "run": self.run,
            "stopped_at": stopped["name"] if stopped else None,
            "reason": stopped["sentence"] if stopped else "It is in the results.",
            "steps": self.steps,
            "found_on": self.found_on,
            "page": self.page,
            "documents": self.documents,
            "indexes": self.indexes,
        }

    def _tell(self, name: StepName, state: StepState, sentence: str, at: datetime | None) -> None:
        self.steps.append({"name": str(name), "state": str(state), "sentence": sentence, "at": at})
