"""A bounded memory of what this worker already proposed, in front of the store."""


class SeenFilter:
    """Keys with the least depth they were stored at. Forgetting is harmless: the store knows all.

    Only keys whose commit was accepted may be added: one that was dropped with its outcome must be proposed again.
    """

    def __init__(self, *, capacity: int = 500_000) -> None:
        self._capacity = capacity
        self._young: dict[bytes, int] = {}
        self._old: dict[bytes, int] = {}

    def knows(self, key: bytes, depth: int) -> bool:
        """Whether the key was stored at this depth or nearer to the seeds."""
        known = self._young.get(key)
        if known is None:
            known = self._old.get(key)
        return known is not None and known <= depth

    def add(self, key: bytes, depth: int) -> None:
        """Remember a key that is in the store."""
        if len(self._young) >= self._capacity:
            self._old, self._young = self._young, {}
        known = self._young.get(key)
        if known is None or depth < known:
            self._young[key] = depth
