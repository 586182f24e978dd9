"""The runner's state row: locked first, written last."""

import json
from dataclasses import asdict, dataclass

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.sql import is_postgres
from crawler_node.contracts import Statistics, StopReason, Wish
from crawler_node.errors import StoreError
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.limits import stop_reason
from crawler_node.frontier.wall_time import WallTime

TABLE = "runners_crawlstate"


@dataclass(slots=True)
class LockedState:
    """What one transaction knows of the whole runner."""

    runner_id: int
    wish: Wish
    fence: int
    wall: WallTime
    statistics: Statistics

    def next_fence(self) -> int:
        self.fence += 1
        return self.fence

    def stop(self, options: FrontierOptions, now: float) -> StopReason | None:
        return stop_reason(options, self.statistics, wish=self.wish, ran_seconds=self.wall.until(now))

    def set_wish(self, wish: Wish, now: float) -> None:
        """Time that passes without the wish to run is not wall time."""
        self.wall.rest(now)
        self.wish = wish


def ask_for_lock(letter: Letter, runner_id: int) -> list[Row]:
    """The row for `read_state`: from its arrival on everybody else who asks for it waits until our transaction ends."""
    lock = " FOR UPDATE" if is_postgres() else ""
    return letter.ask(
        f"SELECT wish, fence, ran_seconds, running_since, statistics FROM {TABLE} WHERE runner_id = %s{lock}",  # noqa: S608
        [runner_id],
    )


def read_state(runner_id: int, rows: list[Row]) -> LockedState:
    if not rows:
        raise StoreError(f"Runner {runner_id} was deleted, so its crawl cannot go on.")
    wish, fence, ran_seconds, running_since, statistics = rows[0]
    counts = Statistics(**json.loads(statistics))
    return LockedState(runner_id, Wish(wish), fence, WallTime(ran_seconds, running_since), counts)


def lock_state(cursor: CursorWrapper, runner_id: int) -> LockedState:
    """Everybody else who asks for this runner waits until our transaction ends."""
    with letter_to(cursor) as letter:
        rows = ask_for_lock(letter, runner_id)
    return read_state(runner_id, rows)


def save_state(letter: Letter, state: LockedState) -> None:
    letter.ask(
        f"UPDATE {TABLE} SET wish = %s, fence = %s, ran_seconds = %s, running_since = %s, statistics = %s"  # noqa: S608
        " WHERE runner_id = %s",
        [
            str(state.wish),
            state.fence,
            state.wall.ran_seconds,
            state.wall.running_since,
            json.dumps(asdict(state.statistics)),
            state.runner_id,
        ],
    )
