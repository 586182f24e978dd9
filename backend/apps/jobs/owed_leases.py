"""What workers held that are known to be gone, until it is queued again."""

from datetime import datetime, timedelta

from backend.apps.jobs.held import HeldJobs
from backend.apps.jobs.models import Placement, PlacementState
from backend.apps.runners.crawl_store import fail_page, release_leases_of
from backend.apps.runners.models import CrawlUrl, Runner, UrlState
from head_node.contracts import Hang

REMEMBERED = timedelta(hours=1)


class OwedLeases:
    """Apart from the burial of those workers: a placement must not be said to run because somebody holds its crawl.

    Until they are given back, leases are still their worker's; should nobody ever do it, they expire.
    """

    def __init__(self) -> None:
        self._held = HeldJobs()
        self._owed: dict[int, Hang | None] = {}

    def owe(self, placement_id: int, *, hang: Hang | None = None) -> None:
        """Of this worker; the page that held it fails for good."""
        self._owed[placement_id] = hang

    def find(self, *, now: datetime) -> None:
        """Those that an earlier head buried and could not give back any more."""
        lost = Placement.objects.select_related("job").filter(
            state=PlacementState.LOST, ended_at__gt=now - REMEMBERED, job__runner__isnull=False
        )
        placements = list(lost)
        runners = {placement.job.runner_id for placement in placements}
        leased = CrawlUrl.objects.filter(runner__in=runners, state=UrlState.LEASED)
        holders = set(leased.order_by().values_list("worker", flat=True).distinct())
        for placement in placements:
            if placement.worker_name in holders:
                self._owed.setdefault(placement.pk, None)

    def give_back(self) -> None:
        """All that can be, until one was waited for in vain: a head has more to do. That one is last the next time."""
        for placement_id, hang in list(self._owed.items()):
            if not self._give_back(placement_id, hang):
                self._owed[placement_id] = self._owed.pop(placement_id)
                return

    def _give_back(self, placement_id: int, hang: Hang | None) -> bool:
        """False when it was waited for in vain."""
        placement = Placement.objects.select_related("job__runner__crawler").filter(pk=placement_id).first()
        if placement is None or placement.job.runner is None:  # no crawl, or deleted meanwhile
            del self._owed[placement_id]
            return True
        is_done = True
        with self._held.unless_held(placement.job_id) as is_free:
            if is_free:
                is_done = False
                _return_all(placement.job.runner, placement.worker_name, hang)
                del self._owed[placement_id]
                is_done = True
        return is_done


def _return_all(runner: Runner, worker: str, hang: Hang | None) -> None:
    if hang is None or not fail_page(runner, worker=worker, url=hang.url, sentence=hang.sentence):
        release_leases_of(runner, worker=worker)
