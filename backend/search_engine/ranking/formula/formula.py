"""A formula ready to use: what it needs, whether an index has it, and its value for every document at once."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.nearest import nearest_name
from backend.search_engine.ranking.formula.errors import FormulaError
from backend.search_engine.ranking.formula.evaluation import evaluate_tree
from backend.search_engine.ranking.formula.functions import Column
from backend.search_engine.ranking.formula.intervals import Interval, bound_tree
from backend.search_engine.ranking.formula.monotone import is_monotone_in_text
from backend.search_engine.ranking.formula.names import TEXT_VARIABLE
from backend.search_engine.ranking.formula.nodes import Call, Node, Variable, walk

MAX_CHARACTERS = 2_000
MAX_NODES = 200
MAX_DEPTH = 100


@dataclass(frozen=True)
class Formula:
    """A formula that passed every check; its cost is at most MAX_NODES passes over the columns."""

    source: str
    tree: Node
    worked_out: Mapping[str, Node] = field(default_factory=dict, compare=False)
    """Variables of the source that are no columns → what stands for them in the tree."""

    @cached_property
    def variables(self) -> frozenset[str]:
        """Every variable the formula reads, `text` included."""
        return frozenset(node.name for node, _ in walk(self.tree) if isinstance(node, Variable))

    @cached_property
    def told_variables(self) -> dict[str, Node]:
        """What the source reads besides `text`, by name: columns, and what is worked out from them."""
        names = {node: name for name, node in self.worked_out.items()}
        found: dict[str, Node] = {}
        waiting = [self.tree]
        while waiting:
            node = waiting.pop()
            if node in names or isinstance(node, Variable):
                found[names.get(node) or node.name] = node  # type: ignore[union-attr]
            elif isinstance(node, Call):
                waiting.extend(node.arguments)
        found.pop(TEXT_VARIABLE, None)
        return found

    @property
    def uses_text(self) -> bool:
        """Whether the text score is part of the formula; if not, the formula is added to it (see `score`)."""
        return TEXT_VARIABLE in self.variables

    @cached_property
    def is_monotone_in_text(self) -> bool:
        """Whether documents with a better text score certainly have no worse score."""
        return is_monotone_in_text(self._whole)

    @cached_property
    def _whole(self) -> Node:
        return self.tree if self.uses_text else Call("+", (Variable(TEXT_VARIABLE), self.tree))

    def check_variables(self, known: Collection[str]) -> FormulaError | None:
        """What to tell the person when a variable is none of `known` (`text` always is), else None."""
        for node, _ in walk(self.tree):
            if isinstance(node, Variable) and node.name != TEXT_VARIABLE and node.name not in known:
                return _unknown_variable(node, known)
        return None

    def evaluate(
        self, columns: Mapping[str, NDArray[np.generic]], *, checkpoint: Callable[[], None] | None = None
    ) -> Column:
        """The value for every row: always finite, as long as the columns. NaN in a column means a missing value.

        `checkpoint` is called between operations and may raise, to keep a deadline.
        """
        unknown = self.check_variables(columns)
        if unknown is not None:
            raise unknown
        return evaluate_tree(self.tree, columns, checkpoint=checkpoint)

    def score(
        self,
        text: NDArray[np.generic],
        columns: Mapping[str, NDArray[np.generic]],
        *,
        checkpoint: Callable[[], None] | None = None,
    ) -> Column:
        """The final score: the formula where it uses `text`, else the text score plus the formula, as in the thesis."""
        whole = self if self.uses_text else Formula(self.source, self._whole)
        return whole.evaluate({**columns, TEXT_VARIABLE: text}, checkpoint=checkpoint)

    def bounds(
        self,
        text: Interval,
        columns: Mapping[str, NDArray[np.generic]],
        *,
        checkpoint: Callable[[], None] | None = None,
    ) -> Interval:
        """Between what `score` lies when the text scores are only known to lie in an interval."""
        return bound_tree(self._whole, columns, text, checkpoint=checkpoint)


def parse_formula(text: str) -> Formula:
    """Read a formula; FormulaError says what is wrong, where, and what to write instead."""
    if len(text) > MAX_CHARACTERS:
        message = f"The formula is longer than {MAX_CHARACTERS} characters."
        raise FormulaError(message, MAX_CHARACTERS, "Shorten it, or store a part of it as a column.")
    if not text.strip():
        raise FormulaError("The formula is empty.", 0, "Write for example log(review) or text + votes/10.")
    from backend.search_engine.ranking.formula.grammar import parse_tree  # noqa: PLC0415  lark takes long to load

    tree = parse_tree(text)
    _check_size(tree)
    return Formula(text, tree)


def _check_size(tree: Node) -> None:
    for count, (node, depth) in enumerate(walk(tree), start=1):
        if count > MAX_NODES or depth > MAX_DEPTH:
            raise FormulaError(
                "The formula has too many steps.",
                getattr(node, "position", 0),
                f"At most {MAX_NODES} numbers, variables and operations, nested at most {MAX_DEPTH} deep.",
            )


def _unknown_variable(node: Variable, known: Collection[str]) -> FormulaError:
    near = nearest_name(node.name, {*known, TEXT_VARIABLE})
    names = ", ".join([TEXT_VARIABLE, *sorted(name for name in known if name != TEXT_VARIABLE)])
    hint = f"Did you mean {near}? Known variables: {names}." if near else f"Known variables: {names}."
    return FormulaError(f"There is no variable {node.name}.", node.position, hint)
