"""Pages and documents, to look at."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django_filters import rest_framework as filters
from rest_framework.generics import ListAPIView

from backend.api.documents.serializers import DocumentSerializer, PageSerializer, VersionSerializer
from backend.api.pagination import Keyset
from backend.api.project_scope import OfVisibleParentMixin, ProjectReadViewSet
from backend.apps.documents.models import Document, DocumentVersion, Page

CURRENT = Prefetch("versions", DocumentVersion.objects.filter(is_current=True), to_attr="current")


class PageFilter(filters.FilterSet):
    project = filters.NumberFilter(field_name="runner__crawler__project")
    crawler = filters.NumberFilter(field_name="runner__crawler")

    class Meta:
        model = Page
        fields = ["runner", "crawler", "project", "http_status"]


class DocumentFilter(filters.FilterSet):
    project = filters.NumberFilter(field_name="crawler__project")
    runner = filters.NumberFilter(method="of_runner", label="Documents with a version that this runner extracted.")
    is_gone = filters.BooleanFilter(field_name="gone_at", lookup_expr="isnull", exclude=True)

    class Meta:
        model = Document
        fields = ["crawler", "project", "runner", "is_gone"]

    def of_runner(self, queryset: QuerySet[Document], name: str, value: int) -> QuerySet[Document]:
        return queryset.filter(pk__in=DocumentVersion.objects.filter(runner=value).values("document"))


class PageViewSet(ProjectReadViewSet):
    project_path = "runner__crawler__project"
    queryset = Page.objects.select_related("runner__crawler__project").order_by("-id")
    serializer_class = PageSerializer
    pagination_class = Keyset
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = PageFilter


class DocumentViewSet(ProjectReadViewSet):
    project_path = "crawler__project"
    queryset = Document.objects.select_related("crawler__project").prefetch_related(CURRENT).order_by("-id")
    serializer_class = DocumentSerializer
    pagination_class = Keyset
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = DocumentFilter


class DocumentVersionsView(OfVisibleParentMixin, ListAPIView):
    """Every version of a document, newest first."""

    parent_field = "document"
    parents = Document.objects.all()
    parent_project_path = "crawler__project"
    queryset: Any = DocumentVersion.objects.order_by("-id")
    serializer_class = VersionSerializer
    pagination_class = Keyset
    filter_backends: list[Any] = []
