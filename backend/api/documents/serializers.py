"""Shapes of pages, documents and their versions."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.documents.selectors import in_order
from crawler_node.contracts import PageState

PAGE_STATES = [
    (str(PageState.DONE), "Fetched."),
    (str(PageState.REDIRECTED), "Led to another address."),
    (str(PageState.FAILED), "Could not be fetched."),
    (str(PageState.SKIPPED), "Left out."),
    (str(PageState.QUEUED), "Failed, and will be tried again."),
]


class PageSerializer(serializers.ModelSerializer):
    state = serializers.ChoiceField(choices=PAGE_STATES, help_text="What became of it.")

    class Meta:
        model = Page
        fields = [
            *("id", "runner", "url", "depth", "state", "http_status", "content_type", "size_bytes", "load_ms"),
            *("processing_ms", "document_count", "refusal", "failure", "target", "fetched_at"),
        ]
        extra_kwargs = {"refusal": {"help_text": "Why it was left out, in a word."}}


class VersionSerializer(serializers.ModelSerializer):
    values = serializers.SerializerMethodField(help_text="The extracted values by inspector.")

    class Meta:
        model = DocumentVersion
        fields = ["id", "number", "is_current", "values", "runner", "extracted_at"]

    @extend_schema_field(serializers.DictField())
    def get_values(self, version: DocumentVersion) -> dict[str, object]:
        return in_order(version.fields, version.document.crawler.template.inspectors.all())


class DocumentSerializer(serializers.ModelSerializer):
    """A document with the values of its current version."""

    values = serializers.SerializerMethodField()
    version = serializers.SerializerMethodField()

    class Meta:
        model = Document
        fields = [
            *("id", "crawler", "url", "values", "version", "duplicate_of", "gone_at", "first_seen_at", "last_seen_at"),
        ]

    @extend_schema_field(serializers.DictField())
    def get_values(self, document: Document) -> dict[str, object]:
        if not document.current:
            return {}
        return in_order(document.current[0].fields, document.crawler.template.inspectors.all())

    def get_version(self, document: Document) -> int | None:
        return document.current[0].number if document.current else None
