"""Shapes of pages, documents and their versions."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.apps.documents.models import Document, DocumentVersion, Page


class PageSerializer(serializers.ModelSerializer):
    class Meta:
        model = Page
        fields = [
            *("id", "runner", "url", "depth", "http_status", "content_type", "size_bytes", "load_ms", "processing_ms"),
            *("failure", "target", "fetched_at"),
        ]


class VersionSerializer(serializers.ModelSerializer):
    values = serializers.DictField(source="fields", help_text="The extracted values by inspector.")

    class Meta:
        model = DocumentVersion
        fields = ["id", "number", "is_current", "values", "runner", "extracted_at"]


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
        return document.current[0].fields if document.current else {}

    def get_version(self, document: Document) -> int | None:
        return document.current[0].number if document.current else None
