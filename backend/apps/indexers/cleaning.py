"""Index files that nobody needs any more."""

import shutil
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from backend.apps.indexers.folders import indexer_folder, indexes_folder
from backend.apps.indexers.models import BuildState, Indexer

GRACE = timedelta(seconds=60)
"""A build that was replaced stays that long: a search may be reading it."""
KEPT_BUILDS = 20
"""So many builds are remembered (their figures, not their files)."""


def remove_old_builds(indexer: Indexer) -> int:
    """Remove the folders of builds that are neither served nor on their way; how many there were."""
    needed = _needed_folders(indexer)
    folders = [path for path in _folders(indexer_folder(indexer.pk)) if path.name not in needed]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    old = indexer.builds.exclude(state__in=[BuildState.SERVED, BuildState.BUILDING, BuildState.HELD])
    forgotten = list(old.order_by("-number").values_list("pk", flat=True)[KEPT_BUILDS:])
    indexer.builds.filter(pk__in=forgotten).delete()
    return len(folders)


def remove_strange_folders() -> int:
    """Remove the folders of indexers that were deleted; how many there were."""
    folders = {path.name: path for path in _folders(indexes_folder()) if path.name.isdecimal()}
    known = set(Indexer.objects.filter(pk__in=[int(name) for name in folders]).values_list("pk", flat=True))
    strangers = [path for name, path in folders.items() if int(name) not in known]
    for folder in strangers:
        shutil.rmtree(folder, ignore_errors=True)
    return len(strangers)


def _needed_folders(indexer: Indexer) -> set[str]:
    young = timezone.now() - GRACE
    builds = indexer.builds.all()
    needed = {build.name for build in builds if build.state in (BuildState.BUILDING, BuildState.HELD)}
    needed |= {build.name for build in builds if build.state == BuildState.SERVED}
    needed |= {build.name for build in builds if build.state == BuildState.REPLACED and build.updated_at > young}
    served = Indexer.objects.filter(pk=indexer.pk).values_list("served_build", flat=True).first()
    return needed | {served or ""}


def _folders(parent: Path) -> list[Path]:
    return [path for path in parent.iterdir() if path.is_dir()] if parent.is_dir() else []
