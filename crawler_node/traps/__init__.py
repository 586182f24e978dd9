"""Traps: endless series of addresses, told from real pages by their shape."""

from crawler_node.traps.echoes import EchoBook
from crawler_node.traps.rules import TrapRules, TrapVerdict
from crawler_node.traps.shapes import pattern_of

__all__ = ["EchoBook", "TrapRules", "TrapVerdict", "pattern_of"]
