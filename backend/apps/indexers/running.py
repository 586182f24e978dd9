"""What people do with an index job: start it, rebuild, stop it, and decide about a build that was held back."""

import shutil

from django.db import transaction
from django.utils import timezone

from backend.apps.errors import Conflict
from backend.apps.indexers.build_plans import plan_of
from backend.apps.indexers.build_states import begin_build, give_up_build, serve_build, set_status, write_log
from backend.apps.indexers.folders import indexer_folder
from backend.apps.indexers.keeping import can_follow, stale_sentences
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer, IndexerStatus
from backend.apps.jobs.models import Job, JobState, Wish
from backend.apps.jobs.services import submit_index, wish_for_job

QUEUED = "Waiting for its turn."
DISCARDED = "A person discarded it."
STOPPED_AFTER_DISCARD = (
    "Following the documents was stopped, because a build was discarded. Mend the crawl, then start it again."
)


def open_job(indexer: Indexer) -> Job | None:
    """The job that works on an indexer or waits to."""
    return Job.objects.filter(indexer=indexer).exclude(state=JobState.FINISHED).first()


@transaction.atomic
def start_indexer(*, indexer: Indexer, rebuild: bool = False) -> None:
    """Build the index, or bring it up to date where it is there already; `rebuild` builds it anew beside it.

    Conflict when it is at work already, unless a rebuild is asked for: that the job under way takes on.
    """
    Indexer.objects.select_for_update().get(pk=indexer.pk)
    job = open_job(indexer)
    if job is not None and (not rebuild or job.wish != Wish.RUN):
        raise Conflict("It is at work already. Stop it first, or ask for a rebuild.")
    if rebuild or not can_follow(indexer) or stale_sentences(indexer):
        begin_build(indexer, plan_of(indexer).to_json())
        write_log(indexer.pk, "A rebuild was asked for." if rebuild else "A build was asked for.")
    if job is None:
        submit_index(indexer=indexer, now=timezone.now())
        Indexer.objects.filter(pk=indexer.pk).update(reason=QUEUED)


@transaction.atomic
def stop_indexer(*, indexer: Indexer) -> None:
    """End the job; what is served stays searchable as it is."""
    job = open_job(indexer)
    if job is None or not wish_for_job(job_id=job.pk, wish=Wish.STOP, now=timezone.now()):
        raise Conflict("It is not at work.")


@transaction.atomic
def accept_build(*, build: IndexBuild) -> None:
    """Serve a build that was held back."""
    if build.state != BuildState.HELD or not serve_build(build):
        raise Conflict("This build does not wait for a decision any more. Load the page again.")
    set_status(build.indexer_id, IndexerStatus.COMPLETED)
    write_log(build.indexer_id, f"A person accepted {build.name}: it answers searches now.")


@transaction.atomic
def discard_build(*, build: IndexBuild) -> None:
    """Keep what is served, and stop following: the next changes would lose the same documents."""
    if build.state != BuildState.HELD or not give_up_build(build, state=BuildState.DISCARDED, reason=DISCARDED):
        raise Conflict("This build does not wait for a decision any more. Load the page again.")
    set_status(build.indexer_id, IndexerStatus.COMPLETED, reason=STOPPED_AFTER_DISCARD)
    write_log(build.indexer_id, f"A person discarded {build.name}; what was served before stays.")
    job = open_job(build.indexer)
    if job is not None:
        wish_for_job(job_id=job.pk, wish=Wish.STOP, now=timezone.now(), reason=STOPPED_AFTER_DISCARD)


def delete_indexer(*, indexer: Indexer) -> None:
    """With its files. A job that works on it loses its placement and ends; what it writes meanwhile is swept."""
    folder = indexer_folder(indexer.pk)
    with transaction.atomic():
        indexer.delete()
    shutil.rmtree(folder, ignore_errors=True)
