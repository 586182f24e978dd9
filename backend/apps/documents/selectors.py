"""Which documents belong to what, and in which order their values are shown."""

from collections.abc import Iterable, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.apps.documents.models import Document, DocumentGap, DocumentVersion, Page
from backend.apps.runners.models import Runner
from backend.apps.templates.models import Inspector


def in_order(values: Mapping[str, object], inspectors: Iterable[Inspector]) -> dict[str, object]:
    """The values as the template lists its inspectors, which PostgreSQL's JSON does not remember; others last."""
    listed = list(inspectors)
    places = {former: (place, 1) for place, inspector in enumerate(listed) for former in inspector.former_names}
    places |= {inspector.name: (place, 0) for place, inspector in enumerate(listed)}
    return dict(sorted(values.items(), key=lambda value: places.get(value[0], (len(listed), 0))))


def found_by(documents: QuerySet[Document], runner: Runner) -> QuerySet[Document]:
    """Those of its crawler that the run extracted or found unchanged, whatever later runs have seen."""
    extracted = DocumentVersion.objects.filter(document=OuterRef("pk"), runner=runner)
    told = Q(last_runner=runner) | Q(first_runner_id=runner.pk) | Exists(extracted)
    return documents.filter(told | _found_before_and_after(runner), crawler=runner.crawler_id)


def _found_before_and_after(runner: Runner) -> Q:
    """What runs before and after it have found, it has found as well if it read the page and it was not gone then.

    Which pages a pruned run has read nobody knows any more: it is taken to have read them all.
    """
    before = Q(first_runner_id__lt=runner.pk) | Q(first_runner_id=None)
    gaps = DocumentGap.objects.filter(gone_runner_id__lte=runner.pk, back_runner_id__gt=runner.pk)
    around = before & Q(last_runner__gt=runner.pk) & ~Exists(gaps.filter(document=OuterRef("pk")))
    if runner.pruned_at is not None:
        return around
    return around & Exists(Page.objects.filter(runner=runner, key=OuterRef("page_key"), state="done"))
