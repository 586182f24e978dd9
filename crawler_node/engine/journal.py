"""What a worker tells people: sentences, not more of one kind than anyone reads."""

from collections import Counter

from crawler_node.contracts import Failure, LogLine, Outcome, PageState, Refusal

_MAX_OF_A_KIND = 100
_QUIET = frozenset({Refusal.ROBOTS, Refusal.CONTENT_TYPE})


class Journal:
    """Collects lines until they are committed. After so many of one sentence it says that it will say no more."""

    def __init__(self) -> None:
        self._lines: list[LogLine] = []
        self._counts: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, line: LogLine) -> None:
        """Note a line, unless its like was noted often enough."""
        self._counts[line.message] += 1
        count = self._counts[line.message]
        if count <= _MAX_OF_A_KIND:
            self._lines.append(line)
        if count == _MAX_OF_A_KIND:
            self._lines.append(LogLine(line.level, f"Said {count} times, and no more from now on: {line.message}"))
        if len(self._counts) > 10_000:
            self._counts.clear()

    def note(self, outcome: Outcome) -> None:
        """Note what is worth knowing about a page; most pages are not worth a line."""
        page = outcome.page
        if not page.sentence:
            return
        if page.state is PageState.FAILED:
            self.add(LogLine("error" if page.failure else "warning", page.sentence, outcome.lease.url))
        elif (page.state is PageState.QUEUED and page.can_retry) or page.failure is Failure.WALL:
            self.add(LogLine("warning", page.sentence, outcome.lease.url))
        elif page.refusal in _QUIET:
            self.add(LogLine("debug", page.sentence, outcome.lease.url))
        else:
            self.add(LogLine("info", page.sentence, outcome.lease.url))

    def take(self) -> list[LogLine]:
        """The lines since the last call."""
        lines, self._lines = self._lines, []
        return lines
