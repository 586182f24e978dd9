"""What can be tried on a page in a bounded child: a selector or a whole template. Plain JSON in, plain JSON out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from crawler_node.extract.compiler import compile_template
from crawler_node.extract.extraction import ExtractedDocument, Extraction, Miss, Notice
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.selectors import Match, compile_selector
from crawler_node.extract.spec import parse_template
from crawler_node.extract.text import normalize_space, visible_text

MAX_SAMPLES = 20
MAX_SAMPLE_CHARS = 300


@dataclass(frozen=True, slots=True)
class SelectorTrial:
    """What a selector found on a page: how many matches, and the texts of the first."""

    count: int
    samples: tuple[str, ...]


def try_selector(message: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """Run `message["selector"]` on a page."""
    selector = compile_selector(message["selector"])
    matches = selector.select(parse_page(body, url=message["url"], content_type=message["content_type"]).root)
    samples = [_sample(match) for match in matches[:MAX_SAMPLES]]
    return {"count": len(matches), "samples": samples}


def _sample(match: Match) -> str:
    text = normalize_space(match) if isinstance(match, str) else visible_text(match)
    return text[:MAX_SAMPLE_CHARS]


def try_template(message: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """Run `message["template"]`, as it stands in a project file, on a page."""
    template = compile_template(parse_template(message["template"]))
    page = parse_page(body, url=message["url"], content_type=message["content_type"])
    now = datetime.fromisoformat(message["now"]) if message.get("now") else None
    extraction = template.extract(page, now=now)
    return {
        "documents": [asdict(document) for document in extraction.documents],
        "misses": [asdict(miss) for miss in extraction.misses],
        "notices": [asdict(notice) for notice in extraction.notices],
        "items": extraction.items,
    }


def to_selector_trial(answer: Mapping[str, Any]) -> SelectorTrial:
    """The answer of `try_selector` as a value."""
    return SelectorTrial(answer["count"], tuple(answer["samples"]))


def to_extraction(answer: Mapping[str, Any]) -> Extraction:
    """The answer of `try_template` as a value."""
    return Extraction(
        documents=[
            ExtractedDocument(document["values"], tuple(document["missing"]), document["fired"])
            for document in answer["documents"]
        ],
        misses=[Miss(**miss) for miss in answer["misses"]],
        notices=[Notice(**notice) for notice in answer["notices"]],
        items=answer["items"],
    )


TRIALS = {"selector": try_selector, "template": try_template}
