"""What to offer while a query is being typed."""

import time
from typing import Final

from backend.apps.errors import Invalid
from backend.apps.search.answer_bytes import to_json
from backend.apps.search.asking import with_milliseconds
from backend.apps.search.served import Served

MAX_TYPED: Final = 200
MAX_SUGGESTIONS: Final = 50


def answer_suggest(served: Served, text: str, *, limit: int = 10, safe: bool | None = None) -> bytes:
    """Names, titles and completions that fit; none, and `is_ready` false, while they are being prepared.

    What only unsafe documents have is left out where that is wished, else as the indexer says.
    """
    began = time.perf_counter()
    if not 1 <= limit <= MAX_SUGGESTIONS:
        raise Invalid({"limit": [f"Give a whole number from 1 to {MAX_SUGGESTIONS}."]})
    aid = served.index.aids.first()
    is_safe = served.indexer.safe_search if safe is None else safe
    found = aid.suggest(text[:MAX_TYPED], limit=limit, is_safe=is_safe) if aid is not None else []
    suggestions = [{"text": each.name, "matched": each.matched} for each in found]
    answer = {"suggestions": suggestions, "is_ready": aid is not None, "is_safe": is_safe}
    return with_milliseconds(to_json(answer), began)
