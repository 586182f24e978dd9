"""Runs in the database of a live Gleaner: build the indexes, then ask the API to trace addresses. JSON in, JSON out."""

import json
import os
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")


def main() -> None:
    import django

    django.setup()
    from rest_framework.test import APIClient

    from backend.apps.accounts.models import User
    from backend.apps.crawlers.models import Crawler
    from backend.apps.indexers.keeping import Wait, keep_index
    from backend.apps.indexers.models import Indexer

    asked: dict[str, Any] = json.load(sys.stdin)
    for indexer in Indexer.objects.exclude(name__in=asked["not_built"]):
        keep_index(indexer.pk, Wait(stop=lambda: False, pause=lambda _: None))
    client = APIClient(SERVER_NAME="localhost")
    client.force_login(User.objects.create_superuser("tracer"))
    answers = []
    for crawler, url, query in asked["cases"]:
        address = f"/api/v1/crawlers/{Crawler.objects.get(name=crawler).pk}/trace"
        answers.append(client.get(address, {"url": url, "q": query}).json())
    sys.stdout.write(json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
