"""Pages and documents, to look at."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django_filters import rest_framework as filters
from rest_framework.generics import ListAPIView

from backend.api.documents.serializers import PAGE_STATES, DocumentSerializer, PageSerializer, VersionSerializer
from backend.api.filtering import RowFilter, RowFilterSet
from backend.api.pagination import Keyset
from backend.api.project_scope import OfVisibleParentMixin, ProjectReadViewSet
from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.documents.selectors import found_by
from backend.apps.runners.models import Runner
from crawler_node.reasons import Refusal

CURRENT = Prefetch("versions", DocumentVersion.objects.filter(is_current=True), to_attr="current")


class PageFilter(RowFilterSet):
    project = RowFilter(field_name="runner__crawler__project")
    crawler = RowFilter(field_name="runner__crawler")
    state = filters.MultipleChoiceFilter(choices=PAGE_STATES)
    refusal = filters.ChoiceFilter(choices=[(str(each), each.sentence) for each in Refusal])

    class Meta:
        model = Page
        fields = ["runner", "crawler", "project", "http_status", "state", "refusal"]


class DocumentFilter(RowFilterSet):
    project = RowFilter(field_name="crawler__project")
    runner = RowFilter(method="of_runner", label="What this runner extracted or found unchanged.")
    is_gone = filters.BooleanFilter(field_name="gone_at", lookup_expr="isnull", exclude=True)
    with_duplicates = filters.BooleanFilter(
        method="of_any_kind", label="Also documents that are equal to one from another page."
    )

    class Meta:
        model = Document
        fields = ["crawler", "project", "runner", "is_gone", "with_duplicates"]

    def filter_queryset(self, queryset: QuerySet[Document]) -> QuerySet[Document]:
        found = super().filter_queryset(queryset)
        return found if self.form.cleaned_data["with_duplicates"] else found.filter(duplicate_of__isnull=True)

    def of_runner(self, queryset: QuerySet[Document], name: str, value: int) -> QuerySet[Document]:
        runner = Runner.objects.filter(pk=value).defer("specification").first()
        return queryset.none() if runner is None else found_by(queryset, runner)

    def of_any_kind(self, queryset: QuerySet[Document], name: str, value: bool) -> QuerySet[Document]:
        """Duplicates are left out unless asked for, which a filter that is absent cannot do."""
        return queryset


class PageViewSet(ProjectReadViewSet):
    project_path = "runner__crawler__project"
    queryset = Page.objects.select_related("runner__crawler__project").order_by("-id")
    serializer_class = PageSerializer
    pagination_class = Keyset
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = PageFilter


class DocumentViewSet(ProjectReadViewSet):
    project_path = "crawler__project"
    queryset = (
        Document.objects.select_related("crawler__project")
        .prefetch_related(CURRENT, "crawler__template__inspectors")
        .order_by("-id")
    )
    serializer_class = DocumentSerializer
    pagination_class = Keyset
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = DocumentFilter

    def filter_queryset(self, queryset: QuerySet[Document]) -> QuerySet[Document]:
        """Filters are for lists: one document is found by its id, a duplicate too."""
        return super().filter_queryset(queryset) if self.action == "list" else queryset


class DocumentVersionsView(OfVisibleParentMixin, ListAPIView):
    """Every version of a document, newest first."""

    parent_field = "document"
    parents = Document.objects.all()
    parent_project_path = "crawler__project"
    queryset: Any = DocumentVersion.objects.prefetch_related("document__crawler__template__inspectors").order_by("-id")
    serializer_class = VersionSerializer
    pagination_class = Keyset
    filter_backends: list[Any] = []
