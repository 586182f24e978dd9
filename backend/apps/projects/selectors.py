"""Reads of projects."""

from django.db.models import Count, IntegerField, Model, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document
from backend.apps.indexers.models import Dictionary, Indexer
from backend.apps.projects.models import Membership, Project, Role
from backend.apps.runners.models import Runner
from backend.apps.templates.models import Template

COUNTED: dict[str, tuple[type[Model], str]] = {
    "templates": (Template, "project"),
    "crawlers": (Crawler, "project"),
    "runners": (Runner, "crawler__project"),
    "documents": (Document, "crawler__project"),
    "indexers": (Indexer, "project"),
    "dictionaries": (Dictionary, "project"),
}


def _count(model: type[Model], path: str) -> Coalesce:
    rows = model._default_manager.filter(**{path: OuterRef("pk")}).order_by().values(path)
    counted = rows.annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def projects_for(user: User) -> QuerySet[Project]:
    """The projects a person may see, each with their role in it and what it holds (`count_…`)."""
    own = Membership.objects.filter(project=OuterRef("pk"), user=user).values("role")[:1]
    role = Value(Role.ADMIN) if user.is_admin else Subquery(own)
    counts = {f"count_{noun}": _count(model, path) for noun, (model, path) in COUNTED.items()}
    return Project.objects.visible_to(user).annotate(caller_role=role, **counts)


def describe_counts(project: Project) -> dict[str, int]:
    return {noun: getattr(project, f"count_{noun}") for noun in COUNTED}
