"""Crawlers."""

from typing import Any

from django.db.models import Count

from backend.api.crawlers.serializers import CrawlerSerializer
from backend.api.project_scope import ProjectNounViewSet
from backend.apps.crawlers.models import Crawler
from backend.apps.crawlers.services import duplicate_crawler, save_crawler
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

    def duplicate_noun(self, noun: Crawler) -> Crawler:
        return duplicate_crawler(crawler=noun)
