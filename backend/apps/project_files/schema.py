"""The JSON Schema of the project file, made from the tables that the rest of the product uses.

`docs/project-file.schema.json` is its committed copy. A later version adds keys and raises
VERSION; old files stay valid.
"""

from typing import Any

from backend.apps.crawlers.models import (
    MAX_KEEP_PAGES_MB,
    MAX_PAGE_MB,
    MAX_PAGE_SECONDS,
    MAX_THREADS,
    MAX_WORKERS,
    CanonicalLinks,
    Lane,
    SameSite,
    Strategy,
)
from backend.apps.crawlers.validation import ADDRESS_FLAGS, IGNORED
from backend.apps.indexers.models import Idf, Joining, Reduction
from backend.apps.indexers.standard_fields import HITS
from backend.apps.indexers.validation import MAX_PUBLIC_PER_MINUTE, WEIGHTS
from backend.apps.templates.actions import MAX_TIMES, MAX_WAIT_SECONDS, PARAMETERS, Parameter
from backend.apps.templates.models import ActionsOn, ActionType, InspectorType

VERSION = 1
Schema = dict[str, Any]

NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
TEXT: Schema = {"type": "string", "maxLength": 10_000}
XPATH: Schema = {"type": "string", "maxLength": 5_000}
FLAG: Schema = {"type": "boolean"}
LANGUAGE: Schema = {"type": "string", "maxLength": 10}
VARIABLE: Schema = {"type": "string", "maxLength": 50}


def project_file_schema() -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Gleaner project file",
        **_object(
            {
                "version": {"type": "integer", "minimum": 1, "maximum": VERSION},
                "name": NAME,
                "description": TEXT,
                "secrets": _list(NAME, note="Names of the secrets that are needed; never their values."),
                "templates": _list(template_schema()),
                "crawlers": _list(crawler_schema()),
                "dictionaries": _list(dictionary_schema()),
                "indexers": _list(indexer_schema()),
            },
            required=["version", "name"],
        ),
    }


def template_schema() -> Schema:
    properties = {
        "name": NAME,
        "description": TEXT,
        "item_scope": XPATH,
        "inspectors": _list(inspector_schema()),
        "actions": actions_schema(),
        "actions_on": _choice(ActionsOn.values),
        "actions_pattern": {"type": "string", "maxLength": 500},
    }
    return _object(properties, required=["name"])


def actions_schema() -> Schema:
    return _list({"oneOf": [_action_schema(action_type) for action_type in ActionType]})


def inspector_schema() -> Schema:
    cleanup = _object({"pattern": {"type": "string", "minLength": 1}, "replacement": {"type": "string"}}, ["pattern"])
    properties = {
        "name": {**NAME, "maxLength": 100},
        "selector": XPATH,
        "fallbacks": _list(XPATH),
        "type": _choice(InspectorType.values),
        "locale": {"type": "string", "maxLength": 20},
        "value": TEXT,
        "attribute": {"type": "string", "maxLength": 100},
        "variable": VARIABLE,
        "cleanup": _list(cleanup),
        "required": FLAG,
        "multiple": FLAG,
        "key": FLAG,
    }
    return _object(properties, required=["name"])


def _action_schema(action_type: ActionType) -> Schema:
    table = PARAMETERS[action_type]
    properties = {
        "type": {"const": str(action_type)},
        **{parameter.name: _parameter_schema(parameter) for parameter in table},
        "optional": FLAG,
        "timeout_seconds": _number(0, 3_600),
    }
    return _object(properties, required=["type", *(row.name for row in table if row.is_required)])


def _parameter_schema(parameter: Parameter) -> Schema:
    kinds: dict[str, Schema] = {
        "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_WAIT_SECONDS},
        "times": _whole(1, MAX_TIMES),
        "flag": FLAG,
        "direction": _choice(["down", "up"]),
    }
    return kinds.get(parameter.kind, XPATH)


def crawler_schema() -> Schema:
    properties = {
        "name": NAME,
        "description": TEXT,
        "template": {**NAME, "description": "The name of a template of this project."},
        "seeds": {**_list(XPATH), "minItems": 1},
        "links_scope": _list(XPATH),
        "allow": _list(XPATH),
        "exclude": _list(XPATH),
        "prefer": _list(XPATH, note="Addresses that come before others as many clicks away."),
        "max_pages": _or_null(_whole(1, 10**12)),
        "max_documents": _or_null(_whole(1, 10**12)),
        "max_depth": _or_null(_whole(0, 10_000)),
        "workers": _whole(1, MAX_WORKERS),
        "threads": _whole(1, MAX_THREADS),
        "sleep_ms": _whole(0, 24 * 3_600_000),
        "retry": _whole(0, 20),
        "timeout_minutes": _or_null({"type": "number", "exclusiveMinimum": 0, "maximum": 525_600}),
        "robots_url": XPATH,
        "respect_robots": FLAG,
        "strategy": _choice(Strategy.values),
        "lane": _choice(Lane.values),
        "show_browser": FLAG,
        "same_site": _choice(SameSite.values),
        "sitemap": FLAG,
        "proxies": _list(XPATH),
        "user_agent": {"type": "string", "maxLength": 500},
        "headers": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 4_000}},
        "keep_pages": FLAG,
        "keep_pages_mb": _whole(1, MAX_KEEP_PAGES_MB),
        "page_text": FLAG,
        "canonical_links": _choice(CanonicalLinks.values),
        "login": _object({"url": XPATH, "actions": actions_schema(), "logged_out": XPATH}, required=[]),
        "cookies": _list(cookie_schema(), note="Cookies of a person's browser; values are kept as secrets."),
        "addresses": _object({**dict.fromkeys(ADDRESS_FLAGS, FLAG), IGNORED: _list(NAME)}, required=[]),
        "limits": limits_schema(),
    }
    return _object(properties, required=["name", "template", "seeds"])


def limits_schema() -> Schema:
    count = _or_null(_whole(1, 10**12))
    properties = {
        "pages_without_new_document": count,
        "pages_only_duplicate": count,
        "error_rate": _or_null({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
        "error_rate_after": _whole(1, 10**12),
        "pages_per_host": count,
        "pages_per_pattern": count,
        "requests_per_host": _or_null(_whole(1, MAX_THREADS)),
        "page_seconds": _number(1, MAX_PAGE_SECONDS),
        "page_mb": _number(0.01, MAX_PAGE_MB),
    }
    return _object(properties, required=[])


def cookie_schema() -> Schema:
    properties = {
        "name": {**NAME, "maxLength": 200},
        "value": {"type": "string", "maxLength": 5_000},
        "domain": {**NAME, "maxLength": 255},
        "path": {"type": "string", "maxLength": 1_000},
        "secure": FLAG,
        "expires": {"type": ["integer", "null"], "minimum": 0, "description": "Seconds since 1970."},
    }
    return _object(properties, required=["name", "value", "domain"])


def dictionary_schema() -> Schema:
    lines = _list({"type": "string"}, note="One “name, score, synonym, …” line each.")
    return _object({"name": NAME, "description": TEXT, "entries": lines}, required=["name"])


def indexer_schema() -> Schema:
    numbers = {"type": "object", "additionalProperties": _number(0, 1e6)}
    names = [*WEIGHTS, *HITS]
    weights = {"type": "object", "propertyNames": {"enum": names}, "additionalProperties": _number(0, 1e6)}
    properties = {
        "name": NAME,
        "description": TEXT,
        "columns": _list(column_schema()),
        "crawlers": _list(NAME, note="Whose documents it takes; none: all whose templates fill its columns."),
        "k": _number(0, 1_000),
        "b": _number(0, 1),
        "small_words": _whole(0, 20),
        "stop_words": _list({"type": "string", "maxLength": 500}),
        "word_weights": numbers,
        "formula": {"type": "string", "maxLength": 2_000},
        "weights": weights,
        "dictionary": _or_null(NAME),
        "synonyms": _list(_list({"type": "string", "maxLength": 200})),
        "q": _whole(2, 5),
        "language": LANGUAGE,
        "language_stop_words": FLAG,
        "joining": _choice(Joining.values),
        "idf": _choice(Idf.values),
        "page_text": FLAG,
        "hits": FLAG,
        "safe_search": FLAG,
        "hide_duplicates": FLAG,
        "live": FLAG,
        "max_loss_percent": _number(0, 100),
        "public": FLAG,
        "public_per_minute": _whole(1, MAX_PUBLIC_PER_MINUTE),
        "public_origins": _list({"type": "string", "maxLength": 300}),
    }
    return _object(properties, required=["name"])


def column_schema() -> Schema:
    properties = {
        "name": {**NAME, "maxLength": 100},
        "sources": _list({"type": "string", "maxLength": 350}, note="Inspectors, as template.inspector."),
        "variable": VARIABLE,
        "boost": _number(0, 1e6),
        "language": LANGUAGE,
        "searchable": FLAG,
        "reduction": _choice(Reduction.values),
        "facet": FLAG,
    }
    return _object(properties, required=["name", "sources"])


def _object(properties: dict[str, Schema], required: list[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(items: Schema, *, note: str = "") -> Schema:
    return {"type": "array", "items": items, **({"description": note} if note else {})}


def _choice(values: list[str]) -> Schema:
    return {"enum": list(values)}


def _number(low: float, high: float) -> Schema:
    return {"type": "number", "minimum": low, "maximum": high}


def _whole(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}
