"""What happened to one address, step by step: why it is in the results, or where it stopped and why."""

from backend.apps.search.trace.tracing import trace

__all__ = ["trace"]
