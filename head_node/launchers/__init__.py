"""How workers reach machines."""

from head_node.launchers.births import began_at
from head_node.launchers.celery import CeleryLauncher
from head_node.launchers.local import LocalLauncher

__all__ = ["CeleryLauncher", "LocalLauncher", "began_at"]
