"""What must be true of a crawler before it is stored; sentences by field path where it is not."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any
from urllib.parse import SplitResult, urlsplit

from backend.apps.crawlers.logins import check_cookies, check_login
from backend.apps.errors import FieldErrors
from backend.apps.sentences import merge_errors, secret_sentence
from backend.apps.templates.validation import selector_sentence
from crawler_node.errors import SpecError
from crawler_node.urls import CanonicalOptions, check_seed
from crawler_node.urls.scope import AddressPattern

MAX_SEEDS = 100_000
MAX_PATTERNS = 1_000
IGNORED = "ignored_parameters"
ADDRESS_FLAGS = tuple(each.name for each in fields(CanonicalOptions) if each.name != IGNORED)
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
OUR_HEADERS = {"host", "content-length", "transfer-encoding", "connection", "user-agent"}


def check_crawler(values: Mapping[str, Any]) -> FieldErrors:
    """Checks what is there: an absent key is not looked at, so partial updates can be checked too."""
    errors: FieldErrors = {}
    if "seeds" in values and not values["seeds"]:
        errors["seeds"] = ["Give at least one address to start from, for example https://example.org/."]
    merge_errors(errors, "seeds", _check_each(values.get("seeds", ()), check_seed, most=MAX_SEEDS))
    merge_errors(errors, "links_scope", _check_each(values.get("links_scope", ()), _scope_sentence))
    merge_errors(errors, "allow", _check_each(values.get("allow", ()), pattern_sentence))
    merge_errors(errors, "exclude", _check_each(values.get("exclude", ()), pattern_sentence))
    merge_errors(errors, "prefer", _check_each(values.get("prefer", ()), pattern_sentence))
    merge_errors(errors, "proxies", _check_each(values.get("proxies", ()), proxy_sentence))
    merge_errors(errors, "headers", _check_headers(values.get("headers", {})))
    merge_errors(errors, "login", check_login(values.get("login", {})))
    merge_errors(errors, "cookies", check_cookies(values.get("cookies", ())))
    merge_errors(errors, "addresses", _check_addresses(values.get("addresses", {})))
    if (robots_url := values.get("robots_url")) and (sentence := check_seed(robots_url)):
        errors["robots_url"] = [sentence]
    if not values.get("user_agent", "").isprintable():
        errors["user_agent"] = ["A user agent is one line of plain text. Remove line breaks and invisible characters."]
    return errors


def _check_each(texts: Sequence[str], check: Callable[[str], str | None], *, most: int = MAX_PATTERNS) -> FieldErrors:
    if len(texts) > most:
        return {"": [f"There can be at most {most:,} of these; you gave {len(texts):,}."]}
    return {str(place): [sentence] for place, text in enumerate(texts) if (sentence := check(text))}


def _scope_sentence(xpath: str) -> str | None:
    return selector_sentence(xpath) if xpath.strip() else "Remove this empty line or give it an XPath."


def pattern_sentence(pattern: str) -> str | None:
    if not pattern.strip():
        return "Remove this empty line, or give a piece of an address such as /cart or */page/*."
    try:
        AddressPattern(pattern)
    except SpecError as error:
        return str(error)
    return None


def proxy_sentence(proxy: str) -> str | None:
    """Why this proxy cannot be used; None when it can."""
    remedy = "Write it like http://user:password@proxy.example.org:8080."
    url = _split(proxy)
    if url is None or url.scheme not in ("http", "https"):
        return f"A proxy is an http:// or https:// address. {remedy}"
    if not url.hostname or _port(url) is None:
        return f"This proxy lacks a host or a port. {remedy}"
    if url.path not in ("", "/") or url.query or url.fragment:
        return f"A proxy has no path. {remedy}"
    return secret_sentence(proxy)


def _split(text: str) -> SplitResult | None:
    try:
        return urlsplit(text.strip()) if text.isprintable() else None
    except ValueError:
        return None


def _port(url: SplitResult) -> int | None:
    try:
        return url.port
    except ValueError:
        return None


def _check_addresses(rules: Mapping[str, Any]) -> FieldErrors:
    """Sentences for address options that there are not, or that have another kind of value."""
    errors: FieldErrors = {}
    for name, value in rules.items():
        if name == IGNORED:
            if not _are_names(value):
                errors[name] = [f"Give at most {MAX_PATTERNS:,} names of parameters, for example color."]
        elif name not in ADDRESS_FLAGS:
            errors[name] = [f"There is no such option. These are: {', '.join((*ADDRESS_FLAGS, IGNORED))}."]
        elif not isinstance(value, bool):
            errors[name] = ["This option is true or false."]
    return errors


def _are_names(value: object) -> bool:
    is_list = isinstance(value, list) and len(value) <= MAX_PATTERNS
    return is_list and all(isinstance(name, str) and 0 < len(name) <= 200 for name in value)


def _check_headers(headers: Mapping[str, str]) -> FieldErrors:
    errors: FieldErrors = {}
    for name, value in headers.items():
        if not HEADER_NAME.fullmatch(name):
            errors[name] = [f"“{name[:50]}” is not a header name. Use letters, digits and dashes."]
        elif name.lower() in OUR_HEADERS:
            errors[name] = [f"The header {name} is set by Gleaner itself. Remove it here."]
        elif not value.isprintable() or len(value) > 4_000:
            errors[name] = ["A header value is one line of at most 4,000 characters. Remove line breaks."]
        elif sentence := secret_sentence(value):
            errors[name] = [sentence]
    return errors
