"""Politeness: how often a host may be asked, how it says that we ask too often, and which hosts to leave alone."""

from crawler_node.politeness.pace import HostPace, PaceRules

__all__ = ["HostPace", "PaceRules"]
