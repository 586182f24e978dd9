"""Crawlers."""

from typing import Any

from django.db.models import Count
from rest_framework.decorators import action
from rest_framework.request import Request

from backend.api.crawlers.serializers import CrawlerSerializer
from backend.api.document_exports import AnyAccept, FileStream, choices_of, describe_export, export_response
from backend.api.project_scope import ProjectNounViewSet
from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import duplicate_crawler, save_crawler
from backend.apps.documents.exports import documents_of_crawler
from backend.apps.housekeeping.deleting import delete_crawler
from backend.apps.projects.models import Project


class CrawlerViewSet(ProjectNounViewSet):
    queryset = (
        Crawler.objects.select_related("project", "template")
        .annotate(runner_count=Count("runners"))
        .order_by("name", "id")
    )
    serializer_class = CrawlerSerializer
    filterset_fields = ["project", "template", "lane"]

    def save_noun(self, values: dict[str, Any], *, project: Project, noun: Crawler | None = None) -> Crawler:
        return save_crawler(values=values, project=project, crawler=noun)

    def delete_noun(self, noun: Crawler) -> None:
        delete_crawler(crawler=noun)

    def duplicate_noun(self, noun: Crawler) -> Crawler:
        return duplicate_crawler(crawler=noun)

    @describe_export("crawlers_export")
    @action(detail=True, methods=["get"], content_negotiation_class=AnyAccept)
    def export(self, request: Request, pk: str | None = None) -> FileStream:
        """The documents of all runs of this crawler, each with its present values, as a file."""
        crawler, choices = self.get_object(), choices_of(request)
        source = documents_of_crawler(
            crawler, with_duplicates=choices["with_duplicates"], with_gone=choices["with_gone"]
        )
        return export_response(source, choices, name=crawler.name)
