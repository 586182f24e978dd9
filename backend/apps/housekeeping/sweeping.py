"""The sweeper: deletes the rows of what people deleted, in small transactions, and goes on after a crash."""

import time
from collections import defaultdict
from datetime import datetime
from enum import Enum

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, Q

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.documents.sequences import take_sequence
from backend.apps.housekeeping.batches import (
    BATCH_DOCUMENTS,
    BATCH_ROWS,
    OF_A_RUNNER,
    delete_documents,
    delete_pages_of_runner,
    delete_rows_of_runner,
)
from backend.apps.housekeeping.models import Disposal, DisposalKind
from backend.apps.jobs.models import Job, JobState
from backend.apps.runners.models import Runner


class Swept(Enum):
    """What one batch found."""

    MORE = "more"
    WAITING = "waiting"
    ALL = "all"


def sweep(*, seconds: float) -> bool:
    """Sweep for about that long; False when there is nothing left that can be swept now."""
    deadline = time.monotonic() + seconds
    for disposal in Disposal.objects.order_by("pk"):
        while sweep_batch(disposal) is Swept.MORE:
            if time.monotonic() >= deadline:
                return True
    return False


def sweep_batch(disposal: Disposal) -> Swept:
    """One batch. WAITING: the rest comes when a run of its crawler has ended."""
    if disposal.kind == DisposalKind.CRAWLER:
        found = _sweep_documents_of_crawler(disposal.crawler)
    elif _sweep_rows_of_runner(disposal.target):
        return Swept.MORE
    else:
        found = _sweep_documents_of_runner(disposal)
    if found is Swept.ALL:
        Disposal.objects.filter(pk=disposal.pk).delete()
    return found


def _sweep_rows_of_runner(runner_id: int) -> bool:
    if delete_pages_of_runner(runner_id):
        return True
    return any(delete_rows_of_runner(runner_id, model) for model in OF_A_RUNNER)


@transaction.atomic
def _sweep_documents_of_crawler(crawler_id: int) -> Swept:
    """The newest first: a duplicate is younger than what it repeats."""
    newest = Document.objects.filter(crawler=crawler_id).order_by("-pk")
    ids = list(newest.values_list("pk", flat=True)[:BATCH_DOCUMENTS])
    Document.objects.filter(duplicate_of__in=ids).update(duplicate_of=None)
    delete_documents(ids)
    return Swept.MORE if ids else Swept.ALL


# --- documents of a deleted run whose crawler lives on


@transaction.atomic
def _sweep_documents_of_runner(disposal: Disposal) -> Swept:
    """Documents that no other run can have found go; others only forget this run. Waits while the crawler works."""
    crawler = Crawler.objects.select_for_update().filter(pk=disposal.crawler).first()
    if crawler is None:
        return Swept.ALL  # its own disposal sees to the documents
    if _is_working(disposal.crawler):
        return Swept.WAITING
    looked_at = Document.objects.filter(crawler=crawler, last_runner=disposal.target, pk__gt=disposal.position)
    ids = list(looked_at.order_by("pk").values_list("pk", flat=True)[:BATCH_DOCUMENTS])
    if ids:
        _forget_run(crawler, ids, run=disposal.target)
        disposal.position = ids[-1]
        disposal.save(update_fields=["position"])
        return Swept.MORE
    return Swept.MORE if _unlink_versions(disposal.target) else Swept.ALL


def _forget_run(crawler: Crawler, ids: list[int], *, run: int) -> None:
    """Documents that were found before this run, too, keep the newest run before it as their last; the others go."""
    earlier = Runner.objects.filter(crawler=crawler, pk__lt=run).aggregate(newest=Max("pk"))["newest"]
    by_others = DocumentVersion.objects.filter(document=OuterRef("pk"), runner__in=Runner.objects.values("pk"))
    is_held = Q(Exists(by_others))
    if earlier is not None:
        is_held |= Q(first_runner_id__lte=earlier) | Q(first_runner_id=None)
    doomed = list(Document.objects.filter(pk__in=ids).exclude(is_held).order_by("pk").values_list("pk", flat=True))
    _promote_duplicates(crawler, doomed)
    delete_documents(doomed)
    Document.objects.filter(pk__in=ids).update(last_runner=earlier)


def _promote_duplicates(crawler: Crawler, doomed: list[int]) -> None:
    """Of the documents that repeat one about to go, the oldest present one takes its place; the others repeat that."""
    heirs: dict[int, list[int]] = defaultdict(list)
    repeating = Document.objects.filter(duplicate_of__in=doomed).order_by("pk")
    for pk, original, _ in sorted(repeating.values_list("pk", "duplicate_of_id", "gone_at"), key=_present_first):
        if pk in doomed:
            Document.objects.filter(pk=pk).update(duplicate_of=None)
        else:
            heirs[original].append(pk)
    with connection.cursor() as cursor:
        number = take_sequence(cursor, crawler.project_id, len(heirs))
    for place, (first, *others) in enumerate(heirs.values(), start=1):
        Document.objects.filter(pk=first).update(duplicate_of=None, sequence=number + place)
        Document.objects.filter(pk__in=others).update(duplicate_of=first)


def _present_first(heir: tuple[int, int, datetime | None]) -> tuple[bool, int]:
    pk, _, gone_at = heir
    return gone_at is not None, pk


def _unlink_versions(runner_id: int) -> bool:
    ids = list(DocumentVersion.objects.filter(runner=runner_id).order_by().values_list("pk", flat=True)[:BATCH_ROWS])
    DocumentVersion.objects.filter(pk__in=ids).update(runner=None)
    return bool(ids)


def _is_working(crawler_id: int) -> bool:
    """Whether a run of the crawler may write documents; it holds them in mind from reading to writing."""
    return Job.objects.filter(runner__crawler=crawler_id).exclude(state=JobState.FINISHED).exists()
