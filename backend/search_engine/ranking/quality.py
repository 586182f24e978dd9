"""How good a page looks by itself, whatever is asked: one number from 0 to 1, and the parts it is made of (seed 003).

The features are those that the crawl stores with a page (`crawler_node.page_text.quality`); the address adds its own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from wording import say_count

ENOUGH_WORDS: Final = 300
ENOUGH_TEXT_SHARE: Final = 0.1
ENOUGH_STOP_WORDS: Final = 0.2
ENOUGH_DISTINCT: Final = 0.3
LONG_TITLE_WORDS: Final = 20
LONG_ADDRESS_CHARS: Final = 100
_DIGITS = re.compile(r"\d")

WEIGHTS: Final[Mapping[str, float]] = {
    "length": 2.0,
    "text share": 1.0,
    "few links": 1.5,
    "title": 1.5,
    "headings": 1.0,
    "description": 0.5,
    "stop words": 1.5,
    "variety": 1.0,
    "language": 1.0,
    "address": 1.0,
}


class QualityPart(NamedTuple):
    """One sign of quality: `value` from 0 to 1, how much it counts, and what it was read from."""

    name: str
    value: float
    weight: float
    reason: str


@dataclass(frozen=True, slots=True)
class PageQuality:
    """`score` is the mean of the parts' values by their weights; a sign that could not be read is not among them."""

    score: float
    parts: tuple[QualityPart, ...]


def page_quality(features: Mapping[str, float], url: str) -> PageQuality:
    """The quality of a page with these stored features at this address; without features by the address alone."""
    signs = {**_text_signs(features), **_form_signs(features), "address": _address_sign(url)}
    parts = tuple(QualityPart(name, round(value, 4), WEIGHTS[name], why) for name, (value, why) in signs.items())
    total = sum(part.weight for part in parts)
    return PageQuality(round(sum(part.value * part.weight for part in parts) / total, 4), parts)


Sign = tuple[float, str]


def _text_signs(features: Mapping[str, float]) -> dict[str, Sign]:
    signs: dict[str, Sign] = {}
    if "words" in features:
        signs["length"] = _up_to(features["words"], ENOUGH_WORDS), say_count(round(features["words"]), "word")
    if "stop_word_share" in features:
        share = features["stop_word_share"]
        signs["stop words"] = _up_to(share, ENOUGH_STOP_WORDS), f"{share:.0%} of the words are small ones"
    if "distinct_share" in features:
        share = features["distinct_share"]
        signs["variety"] = _up_to(share, ENOUGH_DISTINCT), f"{share:.0%} of the words differ"
    if "language_confidence" in features:
        confidence = features["language_confidence"]
        signs["language"] = confidence, f"the language is {confidence:.0%} sure"
    return signs


def _form_signs(features: Mapping[str, float]) -> dict[str, Sign]:
    signs: dict[str, Sign] = {}
    if "text_share" in features:
        share = features["text_share"]
        signs["text share"] = _up_to(share, ENOUGH_TEXT_SHARE), f"{share:.0%} of the page is text"
    if "link_share" in features:
        signs["few links"] = 1.0 - features["link_share"], f"{features['link_share']:.0%} of the text is links"
    if "title_words" in features:
        signs["title"] = _title_sign(features["title_words"])
    if "headings" in features:
        signs["headings"] = float(features["headings"] > 0), say_count(round(features["headings"]), "heading")
    if "has_description" in features:
        has = bool(features["has_description"])
        signs["description"] = float(has), "has a description" if has else "has no description"
    return signs


def _title_sign(words: float) -> Sign:
    """A title of a sentence is best; a stuffed one counts less the longer it is."""
    if not words:
        return 0.0, "has no title"
    return min(LONG_TITLE_WORDS / words, 1.0), f"a title of {say_count(round(words), 'word')}"


def _address_sign(url: str) -> Sign:
    """Short addresses of words, near the root, without parameters, are kept up by people."""
    parts = urlsplit(url)
    depth = len([step for step in parts.path.split("/") if step])
    parameters = len([each for each in parts.query.split("&") if each])
    digits = len(_DIGITS.findall(parts.path + parts.query)) / max(len(parts.path + parts.query), 1)
    too_long = max(len(url) - LONG_ADDRESS_CHARS, 0) / LONG_ADDRESS_CHARS
    value = 1.0 - 0.1 * max(depth - 3, 0) - 0.15 * parameters - 0.5 * digits - 0.5 * too_long
    counts = ((depth, "step deep", "steps deep"), (parameters, "parameter", ""), (len(url), "character", ""))
    reason = ", ".join(say_count(*count) for count in counts)
    return min(max(value, 0.0), 1.0), f"{reason}, {digits:.0%} of it digits"


def _up_to(value: float, enough: float) -> float:
    return min(value / enough, 1.0)
