"""Which language a text is in, and how surely."""

from functools import cache
from typing import Any

from crawler_node.page_text.stop_words import STOP_WORDS, stop_word_share

MIN_WORDS = 12
# Running text has a third of such words; another language shares a few of them by chance.
CONFIRMING_SHARE = 0.2
SAMPLE_CHARS = 1_000


def detect_language(text: str, declared: str = "") -> tuple[str, float]:
    """The language as an ISO 639-1 code, and a confidence from 0 to 1.

    By the text where there is enough, else as the page declares (half believed), else '' (not at all).
    """
    sample = text[:SAMPLE_CHARS]
    believed = _primary(declared)
    if len(sample.split()) < MIN_WORDS and not _is_dense_script(sample):
        return believed, 0.5 if believed else 0.0
    if believed in STOP_WORDS and stop_word_share(sample, believed) >= CONFIRMING_SHARE:
        return believed, 1.0
    language, confidence = _model().classify(sample)
    return str(language), round(float(confidence), 4)


@cache
def _model() -> Any:
    """The model takes most of a second to load, and crawls without page text never need it."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def _is_dense_script(sample: str) -> bool:
    """Chinese, Japanese and Thai put no spaces between words."""
    return (
        sum("\u0e00" <= character <= "\u0e7f" or "\u3040" <= character <= "\u9fff" for character in sample) >= MIN_WORDS
    )


def _primary(declared: str) -> str:
    code = declared.strip().replace("_", "-").partition("-")[0].lower()
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""
