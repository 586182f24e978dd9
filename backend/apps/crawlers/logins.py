"""Logins and cookies of crawlers: checked, completed, and without their secrets, which are kept apart."""

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any

from backend.apps.errors import FieldErrors
from backend.apps.sentences import merge_errors, secret_names, secret_sentence
from backend.apps.templates.actions import PARAMETER_NAMES
from backend.apps.templates.validation import check_action, selector_sentence
from crawler_node.urls import check_seed

Row = dict[str, Any]
MAX_COOKIES = 200
DOMAIN = re.compile(r"\.?[A-Za-z0-9]([A-Za-z0-9.:\[\]-]{0,253}[A-Za-z0-9\]])?")


def check_login(login: Mapping[str, Any]) -> FieldErrors:
    """Sentences by place; empty when a browser can sign in like that, or need not."""
    if not _is_given(login):
        return {}
    errors: FieldErrors = {}
    if (url := login.get("url")) and (sentence := check_seed(url)):
        errors["url"] = [sentence]
    if not login.get("actions"):
        errors["actions"] = ["Say how to sign in: type the name, type the password, click the button."]
    for place, action in enumerate(login.get("actions", ())):
        merge_errors(errors, f"actions.{place}", _check_flat_action(action))
    if sentence := selector_sentence(login.get("logged_out", "")):
        errors["logged_out"] = [sentence]
    return errors


def _is_given(login: Mapping[str, Any]) -> bool:
    """Whether there is anything to it; the API writes a crawler without a login as one with empty parts."""
    return any(login.values())


def _check_flat_action(action: Mapping[str, Any]) -> FieldErrors:
    """An action with its parameters beside its type, as the project file writes it."""
    parameters = {name: value for name, value in action.items() if name in PARAMETER_NAMES}
    return check_action({"type": action.get("type", ""), "parameters": parameters})


def check_cookies(cookies: Sequence[Mapping[str, Any]]) -> FieldErrors:
    """Sentences by place; empty when a browser can be given these cookies."""
    if len(cookies) > MAX_COOKIES:
        return {"": [f"There can be at most {MAX_COOKIES} cookies; you gave {len(cookies)}."]}
    return {str(place): [told] for place, cookie in enumerate(cookies) if (told := _cookie_sentence(cookie))}


def _cookie_sentence(cookie: Mapping[str, Any]) -> str | None:
    name, value = str(cookie.get("name", "")), str(cookie.get("value", ""))
    if not name or not name.isprintable() or set(name) & set(" ;,="):
        return "A cookie has a name without spaces, commas, semicolons and equal signs."
    if not value.isprintable() or ";" in value:
        return f"The value of the cookie “{name}” is not one line, or holds a semicolon."
    if not DOMAIN.fullmatch(str(cookie.get("domain", ""))):
        return f"The cookie “{name}” lacks its domain, such as shop.example.org."
    return secret_sentence(value)


def take_out_typed(login: Mapping[str, Any], *, of: str, taken: Set[str] = frozenset()) -> tuple[Row, dict[str, str]]:
    """The login with `${name}` in place of each text that is typed, and the texts by those names.

    They are named after the crawler `of`; names that are `taken` belong to other crawlers.
    """
    if not _is_given(login):
        return {}, {}
    texts: dict[str, str] = {}
    own = {name for action in login["actions"] for name in secret_names(str(action.get("text", "")))}
    actions = []
    for place, action in enumerate(login["actions"], 1):
        name = _free_name(_secret_name(f"login {of} {place}"), own | texts.keys() | taken)
        actions.append(_take_out_text(action, texts, name))
    return {"url": login.get("url", ""), "actions": actions, "logged_out": login.get("logged_out", "")}, texts


def _take_out_text(action: Mapping[str, Any], texts: dict[str, str], name: str) -> Row:
    text = action.get("text", "")
    if action.get("type") != "type" or not text or secret_names(text):
        return dict(action)
    texts[name] = text
    return {**action, "text": f"${{{name}}}"}


def take_out_cookies(
    cookies: Sequence[Mapping[str, Any]], *, of: str, taken: Set[str] = frozenset()
) -> tuple[list[Row], dict[str, str]]:
    """The cookies with `${name}` in place of their values, and the values by those names; named as typed texts are."""
    rows: list[Row] = []
    values: dict[str, str] = {}
    own = {name for cookie in cookies for name in secret_names(str(cookie["value"]))}
    for cookie in cookies:
        value, path = str(cookie["value"]), cookie.get("path") or "/"
        if value and not secret_names(value):
            name = _free_name(_cookie_name(cookie, path, of), own | values.keys() | taken)
            values[name] = value
            value = f"${{{name}}}"
        rest = {"path": path, "secure": bool(cookie.get("secure", False))}
        if cookie.get("expires") is not None:
            rest["expires"] = cookie["expires"]
        rows.append({"name": cookie["name"], "value": value, "domain": cookie["domain"], **rest})
    return rows, values


def _cookie_name(cookie: Mapping[str, Any], path: str, of: str) -> str:
    """A long name of a crawler is cut, so that domain and name of the cookie are seen."""
    return _secret_name(f"cookie {of[:40].strip()} {cookie['domain']} {cookie['name']}{'' if path == '/' else path}")


def _free_name(name: str, taken: Set[str]) -> str:
    """A name that nothing else uses: steps that were moved keep the names of their old places, crawlers of theirs."""
    names = (name, *(f"{name[:94]}-{number}" for number in range(2, len(taken) + 3)))
    return next(free for free in names if free not in taken)


def _secret_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9 ._-]", "-", text)[:100]
