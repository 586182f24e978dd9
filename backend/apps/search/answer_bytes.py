"""Answers as bytes: JSON that every reader accepts, whatever crawled pages brought into it."""

import json
from typing import Any

import orjson

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS


def to_json(value: Any) -> bytes:
    """Compact UTF-8; NaN and infinities become null, half characters a replacement character."""
    try:
        return orjson.dumps(value, option=_OPTIONS)
    except orjson.JSONEncodeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=float)
        return orjson.dumps(json.loads(text.encode("utf-8", "replace")))
