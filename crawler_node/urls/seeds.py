"""What may be a seed."""

from crawler_node.urls.parse import normalize, parse_url


def check_seed(url: str) -> str | None:
    """None for a good seed, else a sentence that says what is wrong and what to write instead."""
    text = url.strip()
    if not text:
        return "A start address is empty. Write one like https://example.com/."
    if parse_url(text) is not None:
        return None
    href = normalize(text)
    if href is None and normalize(f"https://{text}") is not None and ":" not in text.partition("/")[0]:
        return f"“{text}” does not say how to reach it. Did you mean https://{text}?"
    if href is None or href.startswith(("http:", "https:")):
        return f"“{text}” is not a web address. Write one like https://example.com/."
    scheme = href.partition(":")[0]
    return f"“{text}” begins with {scheme}:, but only http:// and https:// addresses can be crawled."
