"""The tree of a formula: numbers, variables, and calls of whitelisted functions. Nothing else can be expressed."""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Number:
    """A number written in the formula; always finite."""

    value: float


@dataclass(frozen=True, slots=True)
class Variable:
    """A column of the index, by its variable name."""

    name: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function or operator of the whitelist applied to its arguments; an operator's name is its sign."""

    function: str
    arguments: tuple["Node", ...]
    position: int = field(default=0, compare=False)


Node = Number | Variable | Call


def walk(root: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, the root first at depth 1. Not recursive, so any tree can be measured."""
    waiting: list[tuple[Node, int]] = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        if isinstance(node, Call):
            waiting.extend((argument, depth + 1) for argument in reversed(node.arguments))
