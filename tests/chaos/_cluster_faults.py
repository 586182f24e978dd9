"""What goes wrong in a cluster, at random, and every kind of it in its turn."""

import random
import time
from collections import Counter
from collections.abc import Sequence

from tests.chaos._cluster_hosts import NODES, Hosts
from tests.chaos._cluster_processes import Processes
from tests.chaos._cluster_servers import Postgres, Redis

KINDS = ("kill_workers", "kill_head", "cut_node", "wipe_redis", "restart_postgres", "kill_agent", "restart_redis")
WIPES = 15
WIPE_EVERY_SECONDS = 0.2


class Deck:
    """Kinds of faults, as cards are dealt: each comes once before any comes again, over all runs of a command."""

    def __init__(self, kinds: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()) -> None:
        self._kinds, self._chance = kinds, chance
        self._left = self._shuffled([kind for kind in kinds if kind not in first])
        self._left += [kind for kind in reversed(first) if kind in kinds]

    def deal(self) -> str:
        self._left = self._left or self._shuffled(self._kinds)
        return self._left.pop()

    def _shuffled(self, kinds: Sequence[str]) -> list[str]:
        return self._chance.sample(kinds, k=len(kinds))


def kinds_on(hosts: Hosts) -> list[str]:
    """What can break there: a host that is this machine cannot be cut off."""
    return [kind for kind in KINDS if hosts.are_separate or kind != "cut_node"]


class Faults:
    """One thing breaks at a time; `mend` brings back what does not come back by itself."""

    def __init__(
        self,
        hosts: Hosts,
        processes: Processes,
        postgres: Postgres,
        redis: Redis,
        *,
        deck: Deck,
        chance: random.Random,
    ) -> None:
        self._hosts, self._processes, self._postgres, self._redis = hosts, processes, postgres, redis
        self._deck, self._chance = deck, chance
        self._killed: list[str] = []
        self.cut: set[str] = set()
        self.done: Counter[str] = Counter()
        self.last = ""

    def one(self) -> None:
        self.last = self._deck.deal()
        getattr(self, f"_{self.last}")()
        self.done[self.last] += 1

    def mend(self) -> None:
        for node in self.cut:
            self._hosts.mend(node)
        self.cut.clear()
        for name in self._killed:
            start = self._processes.start_agent if name in NODES else self._processes.start_head
            start(name)
        self._killed.clear()

    def _kill_workers(self) -> None:
        workers = list(self._processes.workers().values())
        for process in self._chance.sample(workers, k=min(len(workers), self._chance.randint(1, 3))):
            process.kill()

    def _kill_head(self) -> None:
        """The one that leads; the other stands by. A new one comes only when states were judged."""
        from backend.apps.jobs.models import HeadLease
        from backend.apps.jobs.retrying import retried

        leader = retried(lambda: HeadLease.objects.values_list("head", flat=True).first()) or ""
        heads = [name for name in self._processes.running if name.startswith("head")]
        leading = [name for name in heads if leader.endswith(f"-{self._processes.running[name].pid}")]
        self._kill((leading or heads)[0])

    def _kill_agent(self) -> None:
        """Its workers go on; it comes back at once, as a service would."""
        node = self._chance.choice(NODES)
        self._processes.kill(node)
        self._processes.start_agent(node)

    def _cut_node(self) -> None:
        node = self._chance.choice(NODES)
        self._hosts.cut(node)
        self.cut.add(node)

    def _wipe_redis(self) -> None:
        """Again and again while a killed worker is to be replaced, so that the hint about its successor is lost too."""
        for process in list(self._processes.workers().values())[:1]:
            process.kill()
        for _ in range(WIPES):
            self._redis.wipe()
            time.sleep(WIPE_EVERY_SECONDS)

    def _restart_redis(self) -> None:
        self._redis.restart()

    def _restart_postgres(self) -> None:
        self._postgres.restart()

    def _kill(self, name: str) -> None:
        self._processes.kill(name)
        self._killed.append(name)
