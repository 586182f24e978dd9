"""Shapes of a preview: a template on one page, and what came of it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from backend.api.strict_fields import StrictFieldsMixin
from backend.api.templates.serializers import InspectorSerializer
from backend.apps.crawlers.validation import check_crawler
from backend.apps.errors import Invalid
from backend.apps.sentences import merge_errors
from backend.apps.templates.trying import Preview, preview_html, preview_url
from backend.apps.templates.validation import check_template

MAX_HTML_CHARACTERS = 5_000_000


class PreviewTemplateSerializer(StrictFieldsMixin, serializers.Serializer):
    """A template as it is being edited; it need not be stored."""

    name = serializers.CharField(max_length=200, required=False, default="Preview")
    item_scope = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    inspectors = InspectorSerializer(many=True)


class PreviewRequestSerializer(StrictFieldsMixin, serializers.Serializer):
    """A template and a page: the one at `url`, or `html` as if it had come from there."""

    project = serializers.IntegerField()
    template = PreviewTemplateSerializer()
    url = serializers.CharField(max_length=5_000)
    html = serializers.CharField(
        max_length=MAX_HTML_CHARACTERS, required=False, allow_blank=True, trim_whitespace=False
    )
    links_scope = serializers.ListField(child=serializers.CharField(max_length=5_000), required=False, default=list)


class PreviewMissSerializer(serializers.Serializer):
    index = serializers.IntegerField()
    field = serializers.CharField()
    sentence = serializers.CharField()


class PreviewNoticeSerializer(serializers.Serializer):
    field = serializers.CharField()
    sentence = serializers.CharField()
    count = serializers.IntegerField()


class PreviewDocumentSerializer(serializers.Serializer):
    values = serializers.DictField()
    missing = serializers.ListField(child=serializers.CharField())
    fired = serializers.DictField(
        child=serializers.IntegerField(), help_text="0 the selector itself, 1 the first fallback, -1 none."
    )


class PreviewLinkSerializer(serializers.Serializer):
    href = serializers.CharField()
    anchor = serializers.CharField()
    nofollow = serializers.BooleanField()


class PreviewTimesSerializer(serializers.Serializer):
    fetch = serializers.FloatField()
    parse = serializers.FloatField()
    extract = serializers.FloatField()
    links = serializers.FloatField()


class PreviewSerializer(serializers.Serializer):
    """What came of it. `failure` says why there is nothing to see; times are milliseconds."""

    url = serializers.CharField()
    http_status = serializers.IntegerField(allow_null=True)
    size_bytes = serializers.IntegerField()
    failure = serializers.CharField()
    title = serializers.CharField()
    canonical = serializers.CharField()
    items = serializers.IntegerField()
    documents = PreviewDocumentSerializer(many=True)
    misses = PreviewMissSerializer(many=True)
    notices = PreviewNoticeSerializer(many=True)
    links = PreviewLinkSerializer(many=True, help_text="The first of them.")
    link_count = serializers.IntegerField()
    milliseconds = PreviewTimesSerializer()

    def to_representation(self, preview: Preview) -> dict[str, Any]:
        return {**_page(preview), **_reading(preview)}


def preview_template(
    *, project: int, template: Mapping[str, Any], url: str, links_scope: list[str], html: str | None = None
) -> Preview:
    """Raises Invalid for a template or a scope that cannot work."""
    del project  # whoever may edit it may preview
    errors: dict[str, list[str]] = {}
    merge_errors(errors, "template", check_template(template))
    merge_errors(errors, "", check_crawler({"seeds": [url], "links_scope": links_scope}))
    if errors:
        raise Invalid({("url" if path == "seeds.0" else path): sentences for path, sentences in errors.items()})
    if html is not None:
        return preview_html(template=template, html=html, url=url, links_scope=links_scope)
    return preview_url(template=template, url=url, links_scope=links_scope)


def _page(preview: Preview) -> dict[str, Any]:
    return {
        "url": preview.url,
        "http_status": preview.status,
        "size_bytes": preview.body_bytes,
        "failure": preview.failure,
    }


def _reading(preview: Preview) -> dict[str, Any]:
    trial = preview.trial
    extraction = trial.extraction if trial else None
    documents = extraction.documents if extraction else ()
    misses = extraction.misses if extraction else ()
    times = (trial.parse_seconds, trial.extract_seconds, trial.links_seconds) if trial else (0.0, 0.0, 0.0)
    names = ("fetch", "parse", "extract", "links")
    seconds = zip(names, (preview.fetch_seconds, *times), strict=True)
    return {
        "title": trial.title if trial else "",
        "canonical": trial.canonical if trial else "",
        "items": extraction.items if extraction else 0,
        "documents": [{"values": each.values, "missing": each.missing, "fired": each.fired} for each in documents],
        "misses": [{"index": miss.index, "field": miss.field, "sentence": miss.sentence} for miss in misses],
        "notices": [asdict(notice) for notice in (extraction.notices if extraction else ())],
        "links": [link._asdict() for link in (trial.links if trial else ())],
        "link_count": trial.link_count if trial else 0,
        "milliseconds": {name: round(value * 1000, 3) for name, value in seconds},
    }
