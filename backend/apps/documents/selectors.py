"""Which documents belong to what."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.runners.models import Runner


def found_by(documents: QuerySet[Document], runner: Runner) -> QuerySet[Document]:
    """Those of its crawler that the run extracted or, being the last to see them, found unchanged."""
    extracted = DocumentVersion.objects.filter(document=OuterRef("pk"), runner=runner)
    return documents.filter(Q(last_runner=runner) | Exists(extracted), crawler=runner.crawler_id)
