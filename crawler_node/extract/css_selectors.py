"""CSS selectors typed where an XPath belongs: recognised, and translated so that the person can go on."""

import re

_IDENT = r"-?[_a-zA-Z][\w\-]*"
_SIMPLE = re.compile(
    rf"""
    (?P<tag>^(?:{_IDENT}|\*))
  | \#(?P<id>{_IDENT})
  | \.(?P<class>{_IDENT})
  | \[\s*(?P<attribute>{_IDENT})\s*(?:(?P<operator>[~|^$*]?=)\s*(?P<value>"[^"]*"|'[^']*'|[\w\-]+)\s*)?\]
  | (?P<colons>::?)(?P<pseudo>{_IDENT})(?:\((?P<argument>[^()]*)\))?
    """,
    re.VERBOSE,
)
_COMBINATOR = re.compile(r"\s*([>+~,])\s*|\s+")
_PART = re.compile(r"""(?:[^\s>+~,\[\]()]|\[[^\]]*\]|\([^()]*\))+""")
_AXIS = re.compile(
    r"(?<![\w:\-])(?:ancestor|attribute|child|descendant|following|namespace|parent|preceding|self)(?:-[a-z\-]+)?::"
)
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
# Names in square brackets that are attributes and never elements of HTML.
_ATTRIBUTES = {
    "alt",
    "class",
    "content",
    "href",
    "id",
    "itemprop",
    "name",
    "property",
    "rel",
    "role",
    "src",
    "type",
    "value",
}
_XPATH_OPERATORS = {"and", "or", "mod"}
_STEPS = {"": "//", " ": "//", ">": "/", "~": "/following-sibling::", "+": "/following-sibling::*[1]/self::"}
_PREDICATES = {"first-child": "not(preceding-sibling::*)", "last-child": "not(following-sibling::*)"}


def looks_like_css(source: str) -> bool:
    """Whether `source` is surely meant as a CSS selector: its grammar holds and something in it is CSS alone."""
    unquoted = _LITERAL.sub("", source)
    if any(sign in unquoted for sign in ("/", "@", "|")) or source.startswith(("(", "..")) or _AXIS.search(source):
        return False
    pieces = _split(source)
    if pieces is None:
        return False
    names = [part for _, part in pieces]
    if len(names) == 3 and names[1] in _XPATH_OPERATORS:
        return False
    return len(names) > 1 or _is_css_alone(names[0])


def css_to_xpath(source: str) -> str | None:
    """The XPath that selects the same, or None when the selector uses what has no simple translation."""
    pieces = _split(source)
    if pieces is None:
        return None
    xpath = ""
    for combinator, part in pieces:
        step = _translate_compound(part)
        if step is None:
            return None
        if combinator == ",":
            xpath += " | //" + step
        else:
            xpath += _STEPS[combinator if xpath else ""] + step
    return xpath


def _split(source: str) -> list[tuple[str, str]] | None:
    """(combinator before, compound selector) pairs, or None when this is no CSS."""
    pieces: list[tuple[str, str]] = []
    position, combinator = 0, ""
    while True:
        part = _PART.match(source, position)
        if part is None or not _is_compound(part.group()):
            return None
        pieces.append((combinator, part.group()))
        if part.end() == len(source):
            return pieces
        between = _COMBINATOR.match(source, part.end())
        if between is None:
            return None
        combinator, position = between.group(1) or " ", between.end()


def _is_compound(part: str) -> bool:
    position = 0
    while position < len(part):
        match = _SIMPLE.match(part, position)
        if match is None:
            return False
        position = match.end()
    return True


def _is_css_alone(part: str) -> bool:
    for match in _SIMPLE.finditer(part):
        if match["id"] or match["class"] or match["pseudo"]:
            return True
        attribute = match["attribute"]
        if attribute and (attribute in _ATTRIBUTES or attribute.startswith(("data-", "aria-"))):
            return True
    return False


def _translate_compound(part: str) -> str | None:
    tag, predicates, ending = "*", "", ""
    for match in _SIMPLE.finditer(part):
        if match["tag"]:
            tag = match["tag"]
        elif match["pseudo"]:
            translated = _translate_pseudo(match)
            if translated is None:
                return None
            ending += translated if match["colons"] == "::" else ""
            predicates += "" if match["colons"] == "::" else translated
        else:
            predicates += _translate_predicate(match)
    return tag + predicates + ending


def _translate_predicate(match: re.Match[str]) -> str:
    if match["id"]:
        return f"[@id='{match['id']}']"
    if match["class"]:
        return f"[contains(concat(' ', @class, ' '), ' {match['class']} ')]"
    name, operator, value = match["attribute"], match["operator"], (match["value"] or "").strip("\"'")
    quoted = f'"{value}"' if "'" in value else f"'{value}'"
    if operator is None:
        return f"[@{name}]"
    if operator == "=":
        return f"[@{name}={quoted}]"
    if operator == "^=":
        return f"[starts-with(@{name}, {quoted})]"
    if operator == "~=":
        return f"[contains(concat(' ', @{name}, ' '), concat(' ', {quoted}, ' '))]"
    return f"[contains(@{name}, {quoted})]"


def _translate_pseudo(match: re.Match[str]) -> str | None:
    name, argument = match["pseudo"], match["argument"]
    if match["colons"] == "::":
        if name == "text":
            return "/text()"
        return f"/@{argument}" if name == "attr" and argument else None
    if name == "nth-child" and argument and argument.strip().isdigit():
        return f"[count(preceding-sibling::*)={int(argument) - 1}]"
    predicate = _PREDICATES.get(name)
    return f"[{predicate}]" if predicate else None
