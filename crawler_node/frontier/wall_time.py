"""How long a runner has run: the time in which somebody worked on it."""

from dataclasses import dataclass

# Who works on a runner calls its store more often than that, however slow a page is: in longer gaps nobody was there.
LONGEST_SILENCE_SECONDS = 600.0
# So often it is noted while nothing else about the runner changes.
_NOTE_SECONDS = 30.0


@dataclass(slots=True)
class WallTime:
    """`ran_seconds` up to `running_since`, the last call that was noted; None while the runner rests."""

    ran_seconds: float = 0.0
    running_since: float | None = None

    def until(self, now: float) -> float:
        """The seconds it has run by now."""
        if self.running_since is None:
            return self.ran_seconds
        return self.ran_seconds + min(max(now - self.running_since, 0.0), LONGEST_SILENCE_SECONDS)

    def begin(self, now: float) -> None:
        """Somebody works on it, from now on or still."""
        if self.running_since is None:
            self.running_since = now
        elif now - self.running_since > _NOTE_SECONDS:
            self.note(now)

    def note(self, now: float) -> None:
        """Somebody is still there; a runner that rests goes on resting."""
        if self.running_since is not None:
            self.ran_seconds, self.running_since = self.until(now), now

    def rest(self, now: float) -> None:
        """It has ended or pauses: what passes from now on is not its time."""
        self.ran_seconds, self.running_since = self.until(now), None
