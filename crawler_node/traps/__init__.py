"""Traps: endless series of addresses, told from real pages by their shape."""

from crawler_node.traps.rules import TrapRules, TrapVerdict

__all__ = ["TrapRules", "TrapVerdict"]
