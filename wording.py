"""Words of sentences that people read. Knows nothing of the rest, so that every package may use it."""


def say_count(count: int, singular: str, plural: str = "") -> str:
    """“1 page”, “2,300 pages”; `plural` is for words that do more than add an s."""
    return f"{count:,} {singular if count == 1 else plural or f'{singular}s'}"
