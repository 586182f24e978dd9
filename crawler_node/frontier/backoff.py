"""How long a failed page waits for its next try."""

_FIRST_SECONDS = 2.0
_LONGEST_SECONDS = 300.0


def backoff_seconds(attempt: int, *, retry_after_seconds: float | None = None) -> float:
    """2, 8, 32 … seconds after the first, second, third try, at most five minutes, at least what the server asked."""
    wait = min(_FIRST_SECONDS * 4.0 ** (max(attempt, 1) - 1), _LONGEST_SECONDS)
    return max(wait, retry_after_seconds or 0.0)
