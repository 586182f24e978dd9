"""Reads of indexers: how far an index is, whether it needs a rebuild, what a person should know about it."""

from collections.abc import Mapping
from typing import Any

from backend.apps.indexers.crawler_choice import idle_sentences
from backend.apps.indexers.keeping import stale_sentences
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer
from backend.apps.indexers.problems import problem_sentences
from backend.apps.indexers.running import open_job
from backend.apps.jobs.models import Job, JobState


def state_of(indexer: Indexer) -> dict[str, Any]:
    """The indexer as people watch it; `stale` and `warnings` are sentences, [] where all is well."""
    builds = list(indexer.builds.exclude(state__in=[BuildState.REPLACED, BuildState.DISCARDED, BuildState.FAILED]))
    by_state = {build.state: build for build in builds}
    job = open_job(indexer)
    served, building = by_state.get(BuildState.SERVED), by_state.get(BuildState.BUILDING)
    shown = building or by_state.get(BuildState.HELD) or served
    return {
        "status": indexer.status,
        "reason": indexer.reason,
        "job": job.pk if job is not None else None,
        "is_at_work": job is not None,
        "is_following": _is_following(job, indexer, by_state),
        "building": describe_build(building),
        "held": describe_build(by_state.get(BuildState.HELD)),
        "served": describe_build(served),
        "stale": [f"Needs a rebuild: {sentence}" for sentence in stale_sentences(indexer)],
        "warnings": [*idle_sentences(indexer), *(problem_sentences(shown.problems) if shown is not None else [])],
    }


def _is_following(job: Job | None, indexer: Indexer, builds: Mapping[str, IndexBuild]) -> bool:
    """Whether new documents come in at once: not beside a build under way."""
    is_running = job is not None and job.state == JobState.RUNNING
    return is_running and indexer.live and BuildState.SERVED in builds and BuildState.BUILDING not in builds


def describe_build(build: IndexBuild | None) -> dict[str, Any] | None:
    """A build with its progress."""
    if build is None:
        return None
    names = ("number", "name", "state", "reason", "done", "total", "documents", "fill", "problems", "comparison")
    return {
        **{name: getattr(build, name) for name in names},
        "documents_per_second": round(build.documents_per_second, 1),
        "eta_seconds": eta_seconds(build),
        "started_at": build.started_at,
        "finished_at": build.finished_at,
    }


def eta_seconds(build: IndexBuild) -> float | None:
    """How long it will still take at its present speed; None where that cannot be told."""
    if build.state != BuildState.BUILDING or not build.documents_per_second:
        return None
    return round(max(build.total - build.done, 0) / build.documents_per_second, 1)


def held_build(indexer: Indexer) -> IndexBuild | None:
    """The build that waits for a person."""
    return indexer.builds.filter(state=BuildState.HELD).first()
