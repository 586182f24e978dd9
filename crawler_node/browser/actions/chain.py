"""An action chain as data: steps, and the pages they are for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from crawler_node.urls.scope import AddressPattern

DEFAULT_TIMEOUT_SECONDS = 10.0
# Steps that repeat something may take so many times their timeout in all, and end before the time of a chain does.
REPEAT_FACTOR = 6.0
MAX_REPEAT_SECONDS = 180.0
REPEATING = frozenset({"scroll", "scroll_to_end", "load_more"})
MAX_CHAIN_SECONDS = 240.0


class RunOn(StrEnum):
    """The pages a chain runs on."""

    EVERY = "every"
    SEEDS = "seeds"
    MATCHING = "matching"


@dataclass(frozen=True, slots=True)
class Action:
    """One step; what `parameters` holds is told by the template's table of actions."""

    type: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_optional: bool = False
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    @property
    def budget_seconds(self) -> float:
        """The longest it can take."""
        if self.type == "wait":
            return float(self.parameters["seconds"]) + 1.0
        if self.type in REPEATING:
            return min(self.timeout_seconds * REPEAT_FACTOR, MAX_REPEAT_SECONDS)
        return self.timeout_seconds

    def text(self, name: str) -> str:
        """A parameter, '' where it is not given."""
        return str(self.parameters.get(name) or "")


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps in order, and where they run: on every page, on seeds only, or on addresses that match a pattern."""

    actions: tuple[Action, ...] = ()
    run_on: RunOn = RunOn.EVERY
    pattern: AddressPattern | None = None

    def applies_to(self, url: str, *, is_seed: bool) -> bool:
        """Whether the page wants these steps."""
        if not self.actions or self.run_on is RunOn.EVERY:
            return bool(self.actions)
        if self.run_on is RunOn.SEEDS:
            return is_seed
        return self.pattern is not None and self.pattern.matches(url)

    @property
    def budget_seconds(self) -> float:
        """The longest all of it may take."""
        return min(sum(action.budget_seconds for action in self.actions), MAX_CHAIN_SECONDS)


def parse_actions(rows: Sequence[Mapping[str, Any]]) -> tuple[Action, ...]:
    """Actions as the project file writes them: parameters beside type, `optional` and `timeout_seconds`."""
    own = ("type", "optional", "timeout_seconds")
    return tuple(
        Action(
            str(row["type"]),
            {name: value for name, value in row.items() if name not in own},
            bool(row.get("optional", False)),
            float(row.get("timeout_seconds", DEFAULT_TIMEOUT_SECONDS)),
        )
        for row in rows
    )
