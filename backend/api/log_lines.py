"""Logs over REST: of a runner, of an indexer; the newest line first."""

from typing import Any

from django_filters import rest_framework as filters
from rest_framework.generics import ListAPIView

from backend.api.pagination import Keyset
from backend.api.project_scope import OfVisibleParentMixin
from backend.apps.runners.models import LogLevel


class LogLinesFilter(filters.FilterSet):
    level = filters.MultipleChoiceFilter(choices=LogLevel.choices)
    search = filters.CharFilter(field_name="message", lookup_expr="icontains")


class LogLinesView(OfVisibleParentMixin, ListAPIView):
    """Give `parent_field`, `parents`, `parent_project_path`, `queryset` and `serializer_class`."""

    pagination_class = Keyset
    filter_backends: list[Any] = [filters.DjangoFilterBackend]
    filterset_class = LogLinesFilter
