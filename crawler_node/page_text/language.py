"""Which language a text is in."""

MIN_WORDS = 12
SAMPLE_CHARS = 1_000


def detect_language(text: str, declared: str = "") -> str:
    """The language as an ISO 639-1 code: by the text where there is enough, else as the page declares, else ''."""
    sample = text[:SAMPLE_CHARS]
    if len(sample.split()) < MIN_WORDS and not _is_dense_script(sample):
        return _primary(declared)
    # The model takes most of a second to load, and crawls without page text never need it.
    import py3langid  # noqa: PLC0415

    language, _ = py3langid.classify(sample)
    return str(language)


def _is_dense_script(sample: str) -> bool:
    """Chinese, Japanese and Thai put no spaces between words."""
    return (
        sum("\u0e00" <= character <= "\u0e7f" or "\u3040" <= character <= "\u9fff" for character in sample) >= MIN_WORDS
    )


def _primary(declared: str) -> str:
    code = declared.strip().replace("_", "-").partition("-")[0].lower()
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""
