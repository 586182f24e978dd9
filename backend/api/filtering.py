"""Filters of lists by what a row points to."""

from django import forms
from django.core.validators import MaxValueValidator
from django.db import models
from django_filters import rest_framework as filters


class RowFilter(filters.NumberFilter):
    """Rows that point to the row of this id.

    Where there is no such row nothing is found, as where the caller may not know of it: nobody learns which ids exist.
    """

    field_class = forms.IntegerField

    def get_max_validator(self) -> MaxValueValidator:
        """What is more is no id, and no database takes it for one."""
        return MaxValueValidator(models.BigIntegerField.MAX_BIGINT)


class RowFilterSet(filters.FilterSet):
    """Filters by references are `RowFilter`s; Django's own would tell an unknown id from a hidden one."""

    FILTER_DEFAULTS = {**filters.FilterSet.FILTER_DEFAULTS, models.ForeignKey: {"filter_class": RowFilter}}


class FilterBackend(filters.DjangoFilterBackend):
    filterset_base = RowFilterSet
