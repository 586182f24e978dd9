"""Several workers, at random."""

import random
from dataclasses import replace

import pytest

from crawler_node.contracts import (
    Lease,
    Outcome,
    PageState,
    StopReason,
)
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import (
    NO_ROBOTS,
    FakeClock,
    candidate,
    document,
    done,
    failed,
    given_back,
)


class TogetherContract(StoreCase):
    @pytest.mark.parametrize("seed", range(5))
    def test_nothing_is_lost_or_doubled_whatever_workers_do(self, clock: FakeClock, seed: int) -> None:
        """Workers lease, commit, stall, die and come back at random on a made-up site of 120 pages."""
        chance = random.Random(seed)
        store = self.make_store(replace(NO_ROBOTS, retries=50, max_broken_leases=1000), clock)
        store.plant([candidate("/0")])
        held: dict[str, list[Lease]] = {f"w{number}": [] for number in range(3)}
        accepted: list[bytes] = []
        for _ in range(5_000):
            worker = chance.choice(sorted(held))
            seen = self.another(store) if chance.random() < 0.3 else store
            action = chance.random()
            if action < 0.45:
                batch = seen.lease(worker=worker, limit=chance.randint(1, 9))
                held[worker] += batch.leases
                if batch.stop is not None:
                    break
                if not batch.leases:
                    clock.now += min(batch.retry_after_seconds or 0.0, 5.0)
            elif action < 0.9:
                chance.shuffle(held[worker])
                count = chance.randint(0, 8)
                some, held[worker] = held[worker][:count], held[worker][count:]
                outcomes = [self._random_outcome(lease, chance) for lease in some]
                progress = seen.commit(worker=worker, outcomes=outcomes)
                accepted += [
                    o.lease.key
                    for o in outcomes
                    if o.lease.fence in progress.accepted and o.page.state is PageState.DONE
                ]
            elif action < 0.95:
                held[worker] = []
                seen.release(worker=worker)
            else:
                clock.now += chance.choice([1.0, 30.0, 90.0])
        assert store.lease(worker="w0", limit=1).stop is StopReason.EXHAUSTED
        assert len(accepted) == len(set(accepted)) == 120
        assert sorted(str(values["name"]) for values in self.documents(store)) == sorted(
            f"https://site.example/{number}" for number in range(120)
        )
        found = store.statistics()
        assert (found.pages, found.documents, found.queued, found.leased) == (120, 120, 0, 0)
        assert (found.links_collected, found.links_visited) == (360, 360 - 119)

    @staticmethod
    def _random_outcome(lease: Lease, chance: random.Random) -> Outcome:
        number = int(lease.url.rpartition("/")[2])
        fate = chance.random()
        if fate < 0.1:
            return failed(lease, can_retry=True)
        if fate < 0.2:
            return given_back(lease)
        targets = ((number * 2 + 1) % 120, (number * 2 + 2) % 120, (number + 60) % 120)
        links = [candidate(f"/{target}", depth=lease.depth + 1) for target in targets]
        return done(lease, links, [document(lease.url)])
