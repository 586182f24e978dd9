"""What can change while the site runs; everything else is fixed by the seed."""

import secrets
from collections import Counter

from aiohttp import web

Knob = int | float | str


class SiteState:
    """The knobs of the control endpoints, and the counters of pages that behave differently each time.

    `version` decides what the changing pages show; `latency_seconds` is added to every answer of a page; `robots` names
    the variant served as `/robots.txt`; `session_requests` is how many pages a login lasts.
    """

    def __init__(self, *, robots: str = "friendly") -> None:
        self._initial: dict[str, Knob] = {
            "version": 1,
            "latency_seconds": 0.0,
            "robots": robots,
            "session_requests": 1_000_000,
        }
        self.reset()

    def reset(self) -> None:
        """Back to how the site started."""
        self._knobs = dict(self._initial)
        self._attempts: Counter[str] = Counter()
        self._sessions: dict[str, int] = {}

    def knobs(self) -> dict[str, Knob]:
        """All knobs by name."""
        return dict(self._knobs)

    def turn(self, wanted: dict[str, Knob]) -> None:
        """Set some knobs; ValueError names what is unknown or of the wrong type, and then none is set."""
        for name, value in wanted.items():
            if name not in self._initial:
                raise ValueError(f"There is no knob {name!r}; there are {', '.join(self._initial)}.")
            if isinstance(value, str) != isinstance(self._initial[name], str):
                raise ValueError(f"{name} cannot be {value!r}.")
        self._knobs.update(wanted)

    @property
    def version(self) -> int:
        return int(self._knobs["version"])

    @property
    def latency_seconds(self) -> float:
        return float(self._knobs["latency_seconds"])

    @property
    def robots(self) -> str:
        return str(self._knobs["robots"])

    @property
    def session_requests(self) -> int:
        return int(self._knobs["session_requests"])

    def attempt(self, key: str) -> int:
        """How many times this has been asked for, this time included."""
        self._attempts[key] += 1
        return self._attempts[key]

    def open_session(self) -> str:
        """The cookie of a new login, good for `session_requests` pages."""
        cookie = secrets.token_hex(16)
        self._sessions[cookie] = self.session_requests
        return cookie

    def use_session(self, cookie: str) -> bool:
        """Whether this cookie is good for one more page, which it then has used up."""
        left = self._sessions.get(cookie, 0)
        if left:
            self._sessions[cookie] = left - 1
        return left > 0

    def close_session(self, cookie: str) -> None:
        """End a login; an unknown cookie is fine."""
        self._sessions.pop(cookie, None)


STATE = web.AppKey("state", SiteState)
