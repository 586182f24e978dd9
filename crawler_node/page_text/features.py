"""Everything search wants to know of a page beside its documents."""

from crawler_node.contracts import PageFeatures
from crawler_node.extract.parsing import ParsedPage
from crawler_node.page_text.body import read_body
from crawler_node.page_text.head import Head
from crawler_node.page_text.language import detect_language
from crawler_node.page_text.quality import quality_features
from crawler_node.page_text.simhash import simhash


def read_features(page: ParsedPage, head: Head, *, markup_bytes: int) -> PageFeatures:
    """Title, headings, main text, language, fingerprint and quality of a page of `markup_bytes`."""
    body = read_body(page.root)
    language, confidence = detect_language(body.text, page.language)
    title = head.title or next(iter(body.headings), "")
    quality = quality_features(
        body.text,
        title=title,
        description=head.description,
        headings=len(body.headings),
        language=language,
        language_confidence=confidence,
        markup_bytes=markup_bytes,
        link_share=body.link_chars / body.visible_chars if body.visible_chars else 0.0,
    )
    return PageFeatures(
        title=title,
        headings=body.headings,
        description=head.description,
        language=language,
        text=body.text,
        simhash=simhash(body.text),
        quality=quality,
    )
