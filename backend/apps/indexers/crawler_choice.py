"""Which crawlers an indexer takes documents of: those that were chosen, else all whose templates fill its columns."""

from collections.abc import Sequence

from backend.apps.crawlers.models import Crawler
from backend.apps.errors import Invalid
from backend.apps.indexers.models import ColumnSource, Indexer
from backend.apps.projects.models import Project

MAX_CRAWLERS = 1_000


def find_crawlers(project: Project, ids: Sequence[int]) -> list[Crawler]:
    """The crawlers of these ids; Invalid names those that the project does not have."""
    found = {crawler.pk: crawler for crawler in project.crawlers.filter(pk__in=ids)}
    sentence = "This project has no such crawler. Choose one of its own."
    if errors := {f"crawlers.{place}": [sentence] for place, pk in enumerate(ids) if pk not in found}:
        raise Invalid(errors)
    return list(found.values())


def idle_sentences(indexer: Indexer) -> list[str]:
    """About each chosen crawler that brings nothing, because its template fills no column."""
    templates = set(ColumnSource.objects.filter(column__indexer=indexer).values_list("inspector__template", flat=True))
    chosen = indexer.crawlers.select_related("template") if templates else []
    return [_idle_sentence(crawler) for crawler in chosen if crawler.template_id not in templates]


def _idle_sentence(crawler: Crawler) -> str:
    return (
        f"The template “{crawler.template.name}” of the crawler “{crawler.name}” fills no column, so nothing "
        "of it would be found. Add one of its inspectors to a column, or take the crawler out."
    )


def refusal_sentence(indexer: Indexer, crawler_id: int) -> str | None:
    """Why documents of a crawler are not taken; None where they are."""
    chosen = {crawler.pk: crawler.name for crawler in indexer.crawlers.all()}
    if not chosen or crawler_id in chosen:
        return None
    names = ", ".join(f"“{name}”" for name in chosen.values())
    return f"“{indexer.name}” takes only documents of {names}. Choose this crawler, too, in its settings."
