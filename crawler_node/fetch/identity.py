"""How we introduce ourselves: a product token that robots.txt files can name, and the operator's contact."""

import re

PRODUCT = "Gleaner"
# What nearly every browser, and many a crawler, says first; who they are comes behind it.
_EVERYBODY = "Mozilla"
_COMPATIBLE = re.compile(r"\bcompatible;\s*([\w-]+)")


def default_user_agent(*, version: str, contact: str = "") -> str:
    """`Gleaner/0.1 (+https://example.org/crawler)`; the contact is a page or a mail address of who runs us."""
    contact = contact.strip()
    return f"{PRODUCT}/{version} (+{contact})" if contact else f"{PRODUCT}/{version}"


def product_token(user_agent: str) -> str:
    """The name that robots.txt rules are looked up by: the first product of a user agent, without its version.

    Behind `Mozilla` it is what calls itself compatible (`(compatible; AcmeBot/1.0)`); who only looks like a browser is
    still us.
    """
    words = user_agent.split()
    first = words[0].partition("/")[0] if words else PRODUCT
    if first != _EVERYBODY:
        return first
    found = _COMPATIBLE.search(user_agent)
    return found[1] if found else PRODUCT
