"""Nodes: the machines that execute runners."""
