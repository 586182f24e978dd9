"""How we introduce ourselves: a product token that robots.txt files can name, and the operator's contact."""

PRODUCT = "Gleaner"


def default_user_agent(*, version: str, contact: str = "") -> str:
    """`Gleaner/0.1 (+https://example.org/crawler)`; the contact is a page or a mail address of who runs us."""
    contact = contact.strip()
    return f"{PRODUCT}/{version} (+{contact})" if contact else f"{PRODUCT}/{version}"


def product_token(user_agent: str) -> str:
    """The name that robots.txt rules are looked up by: the first product of a user agent, without its version."""
    words = user_agent.split()
    return words[0].partition("/")[0] if words else PRODUCT
