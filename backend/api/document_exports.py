"""Documents to take away: the export of a runner or a crawler as a stream."""

from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from backend.apps.documents.exports import DocumentSource, ExportFormat, stream_documents


class ExportChoices(serializers.Serializer):
    """What a caller may choose, as query parameters."""

    format = serializers.ChoiceField(
        choices=[str(format) for format in ExportFormat], default="csv", help_text="How the documents are written."
    )
    with_duplicates = serializers.BooleanField(
        default=False, help_text="Also documents that are equal to one from another page."
    )
    with_gone = serializers.BooleanField(default=False, help_text="Also documents that are no longer on the site.")
    bom = serializers.BooleanField(
        default=False, help_text="Mark a CSV as UTF-8, for spreadsheets that would guess otherwise."
    )


class AnyAccept(DefaultContentNegotiation):
    """`format` is ours here, and the answer is a file whatever a caller says to accept."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class FileStream(StreamingHttpResponse):
    """A stream made bite by bite, also when it is sent by an event loop: then each in the request's own thread."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        bites = iter(self.streaming_content)
        following = sync_to_async(lambda: next(bites, None))
        while (bite := await following()) is not None:
            yield bite


def choices_of(request: Request) -> dict[str, Any]:
    choices = ExportChoices(data=request.query_params)
    choices.is_valid(raise_exception=True)
    return dict(choices.validated_data)


def export_response(source: DocumentSource, choices: dict[str, Any], *, name: str) -> FileStream:
    """The documents as an attachment called after what they are of."""
    format = ExportFormat(choices["format"])
    file_name = f"{slugify(name) or 'documents'}.{format}"
    return FileStream(
        stream_documents(source, format, bom=choices["bom"]),
        content_type=format.media_type,
        headers={"Content-Disposition": f'attachment; filename="{file_name}"', "X-Accel-Buffering": "no"},
    )


def describe_export(operation_id: str) -> Any:
    """What the OpenAPI file says of an export."""
    files = {(200, format.media_type.partition(";")[0]): OpenApiTypes.BINARY for format in ExportFormat}
    return extend_schema(operation_id=operation_id, parameters=[ExportChoices], responses=files, filters=False)
