"""Static quality: numbers about a page that tell text worth reading from furniture and spam.

After the page features of Ntoulas et al., "Detecting Spam Web Pages through Content Analysis" (2006).
"""

from collections.abc import Mapping

from crawler_node.page_text.stop_words import STOP_WORDS, share_of

ENOUGH_WORDS = 300
# The shares are those of the beginning of the text, which tells as much.
SAMPLE_CHARS = 10_000


def quality_features(
    text: str,
    *,
    title: str,
    description: str,
    headings: int,
    language: str,
    language_confidence: float,
    markup_bytes: int,
    link_share: float,
) -> Mapping[str, float]:
    """Features from 0 to 1 unless they are counts, and `score`, their summary from 0 (furniture) to 1 (a good page).

    `text` is as `read_body` makes it: one space or line break between two words.
    """
    count = text.count(" ") + text.count("\n") + 1 if text else 0
    words = text[:SAMPLE_CHARS].lower().split()
    features = {
        "words": float(count),
        "headings": float(headings),
        "title_words": float(len(title.split())),
        "has_title": float(bool(title)),
        "has_description": float(bool(description)),
        "text_share": round(min(len(text.encode("utf-8", "ignore")) / max(markup_bytes, 1), 1.0), 4),
        "link_share": round(link_share, 4),
        "distinct_share": round(len(set(words)) / len(words), 4) if words else 0.0,
        "language_confidence": language_confidence,
        "mean_word_chars": round(len("".join(words)) / len(words), 2) if words else 0.0,
    }
    if words and language in STOP_WORDS:
        features["stop_word_share"] = round(share_of(words, language), 4)
    features["score"] = _score(features)
    return features


def _score(features: Mapping[str, float]) -> float:
    """The mean of five signs, each from 0 to 1."""
    signs = [
        min(features["words"] / ENOUGH_WORDS, 1.0),
        1.0 - features["link_share"],
        (features["has_title"] + min(features["headings"], 1.0)) / 2,
        min(features.get("stop_word_share", 0.2) / 0.2, 1.0),
        min(features["text_share"] / 0.1, 1.0),
    ]
    return round(sum(signs) / len(signs), 4)
