"""What several models are made of: times, names, and constraints that every database enforces."""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.enums import Choices


class Timed(models.Model):
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


def left_to_sweeper(to: type[models.Model] | str, **options: Any) -> models.ForeignKey:
    """A reference from a table of millions: what it points to may be deleted at once, the rows are swept later.

    Until then they point nowhere, and every join leaves them out (`housekeeping.sweeping`).
    """
    return models.ForeignKey(to, on_delete=models.DO_NOTHING, db_constraint=False, **options)


class ProjectNoun(Timed):
    """A thing people configure in a project; its name is unique there."""

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="%(class)ss")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="", max_length=10_000)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


def unique_name(noun: str) -> models.UniqueConstraint:
    return models.UniqueConstraint(
        fields=["project", "name"],
        name=f"{noun}_name_unique_in_project",
        violation_error_message=f"This project already has a {noun} of that name. Choose another name.",
    )


def not_empty(noun: str, field: str = "name") -> models.CheckConstraint:
    return models.CheckConstraint(condition=~Q(**{field: ""}), name=f"{noun}_{field}_not_empty")


def one_of(noun: str, field: str, choices: type[Choices]) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(**{f"{field}__in": choices.values}), name=f"{noun}_{field}_valid")


def at_least(noun: str, field: str, minimum: float) -> models.CheckConstraint:
    """True for NULL too: an absent limit is no limit."""
    return models.CheckConstraint(condition=Q(**{f"{field}__gte": minimum}), name=f"{noun}_{field}_at_least_{minimum}")


def between(noun: str, field: str, low: float, high: float) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(**{f"{field}__gte": low, f"{field}__lte": high}), name=f"{noun}_{field}_between"
    )


def ends_after_start(noun: str) -> models.CheckConstraint:
    condition = Q(finished_at__isnull=True) | Q(started_at__isnull=True) | Q(finished_at__gte=F("started_at"))
    return models.CheckConstraint(condition=condition, name=f"{noun}_ends_after_start")
