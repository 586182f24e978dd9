"""From characters to tokens: parentheses balanced, length, depth and clauses bounded, a notice for every repair."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from backend.search_engine.nearest import nearest_name
from backend.search_engine.query.ast import Notice
from backend.search_engine.query.syntax import MAX_CHARACTERS, MAX_CLAUSES, MAX_DEPTH, ROWS

_VALUES = ("phrase", "open", "range", "everything", "word", "quote")
_PATTERNS = {row.name: f"(?P<{row.name}>{row.pattern})" for row in ROWS if row.pattern}
_TOKEN = re.compile("|".join(pattern for name, pattern in _PATTERNS.items() if name != "range"))
_IN_FIELD = re.compile("|".join(_PATTERNS.values()))  # between the parentheses of `field:(…)`
_VALUE = re.compile("|".join(_PATTERNS[name] for name in _VALUES))  # what may stand after `field:`
_PIECED = frozenset({"phrase", "close", "field", "range"})
_WORD = re.compile(next(row.pattern for row in ROWS if row.name == "word"))
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s*")

OPERANDS = frozenset({"phrase", "word", "range", "everything"})
MAX_NOTICES = 5


@dataclass(frozen=True, slots=True)
class Token:
    """One thing of the syntax table, where it stands, and the named pieces its pattern found."""

    kind: str
    text: str
    start: int
    pieces: dict[str, str]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def as_word(self) -> "Token":
        return replace(self, kind="word", pieces={})


class Notices:
    """What to tell the person; the same sentence once, and not more than a few."""

    def __init__(self) -> None:
        self._notices: dict[str, Notice] = {}

    def add(self, message: str, position: int, hint: str = "") -> None:
        if message not in self._notices and len(self._notices) < MAX_NOTICES:
            self._notices[message] = Notice(message, position, hint)

    def all(self) -> tuple[Notice, ...]:
        return tuple(sorted(self._notices.values(), key=lambda notice: notice.position))


def tokenize(source: str, *, fields: Collection[str] | None, notices: Notices) -> list[Token]:
    """The tokens of any text: balanced, at most MAX_CLAUSES operands. `fields` None takes every field for known."""
    if len(source) > MAX_CHARACTERS:
        notices.add(
            f"Only the first {MAX_CHARACTERS} characters of the query were read.", MAX_CHARACTERS, "Shorten it."
        )
    text = _SURROGATE.sub("�", source[:MAX_CHARACTERS])
    return _balance(_limit(_scan(text, fields, notices), notices), notices)


def _scan(text: str, fields: Collection[str] | None, notices: Notices) -> list[Token]:
    tokens: list[Token] = []
    groups = [False]  # for each open parenthesis whether it stands behind a field
    position = _skip_space(text, 0)
    while position < len(text):
        after_field = bool(tokens) and tokens[-1].kind == "field"
        patterns = (_VALUE, _TOKEN) if after_field else (_IN_FIELD if groups[-1] else _TOKEN,)
        token = _read(text, position, fields=() if after_field else fields, patterns=patterns, notices=notices)
        if token.kind == "open":
            groups.append(after_field or groups[-1])
        elif token.kind == "close" and len(groups) > 1:
            groups.pop()
        if token.kind == "quote":
            notices.add("A quotation mark has no partner.", position, 'Write "…" around words that belong together.')
        else:
            tokens.append(token)
        position = _skip_space(text, token.end)
    return tokens


def _skip_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _read(
    text: str,
    position: int,
    *,
    fields: Collection[str] | None,
    patterns: Sequence[re.Pattern[str]],
    notices: Notices,
) -> Token:
    found = next(filter(None, (pattern.match(text, position) for pattern in patterns)), None)
    assert found is not None and found.lastgroup is not None  # noqa: S101, PT018  word and quote take any character
    kind = found.lastgroup  # the outermost group closes last
    pieces = _pieces(found) if kind in _PIECED else {}
    if kind == "field":
        return _read_field(text, Token(kind, found[0], position, pieces), fields, notices)
    token = Token(kind, found[0], position, pieces)
    return _spaced_field(text, token, fields, notices) if kind == "word" and fields else token


def _spaced_field(text: str, token: Token, fields: Collection[str], notices: Notices) -> Token:
    """A word like `price:` before a space as the field, when there is one of this name and something follows."""
    typed = token.text.removesuffix(":")
    name = _known_name(typed, fields)
    if name is None or typed == token.text or not text[token.end :].strip(" )"):
        return token
    hint = f"Write {typed}:… without a space, or leave the colon out to look for the word."
    notices.add(f"{token.text} before a space was read as the field {name}.", token.start, hint)
    return Token("field", token.text, token.start, {"field_name": name})


def _known_name(typed: str, fields: Collection[str]) -> str | None:
    """A field's own spelling of its name; as typed where two differ in case only."""
    if typed in fields:
        return typed
    return {name.casefold(): name for name in sorted(fields)}.get(typed.casefold())


def _pieces(found: re.Match[str]) -> dict[str, str]:
    return {name: piece for name, piece in found.groupdict().items() if piece is not None}


def _read_word(text: str, position: int) -> Token:
    found = _WORD.match(text, position)
    return Token("word", found[0] if found else text[position], position, {})


def _read_field(text: str, token: Token, fields: Collection[str] | None, notices: Notices) -> Token:
    """The field under its known spelling; a word like `https://…` or `Note:this` when there is no such field."""
    typed = token.pieces["field_name"]
    if text.startswith("//", token.end):
        return _read_word(text, token.start)
    if fields is None:
        return token
    name = _known_name(typed, fields)
    if name is not None:
        return replace(token, pieces={"field_name": name})
    if fields:
        notices.add(f"There is no field {typed[:40]}; it was read as a word.", token.start, _field_hint(typed, fields))
    return _read_word(text, token.start)


def _field_hint(typed: str, fields: Collection[str]) -> str:
    near = nearest_name(typed, fields)
    names = ", ".join(sorted(fields)[:20])
    return f"Did you mean {near}? Fields: {names}." if near else f"Fields: {names}."


def _limit(tokens: list[Token], notices: Notices) -> list[Token]:
    operands = 0
    for index, token in enumerate(tokens):
        operands += token.kind in OPERANDS
        if operands > MAX_CLAUSES:
            notices.add(f"Only the first {MAX_CLAUSES} words of the query were read.", token.start, "Shorten it.")
            return tokens[:index]
    return tokens


def _balance(tokens: list[Token], notices: Notices) -> list[Token]:
    balanced: list[Token] = []
    depth = ignored = 0
    for token in tokens:
        if token.kind == "open" and depth == MAX_DEPTH:
            ignored += 1
            if balanced[-1].kind == "field":
                balanced.pop()
            notices.add(f"Parentheses deeper than {MAX_DEPTH} were left out.", token.start, "Use fewer.")
        elif token.kind == "close" and ignored:
            ignored -= 1
        elif token.kind == "close" and depth == 0:
            notices.add("A parenthesis is closed that was never opened.", token.start, "Remove it, or add ( before.")
        else:
            depth += (token.kind == "open") - (token.kind == "close")
            balanced.append(token)
    return balanced + _closing(tokens, depth, notices)


def _closing(tokens: list[Token], depth: int, notices: Notices) -> list[Token]:
    if depth == 0:
        return []
    end = tokens[-1].end
    notices.add("A parenthesis is opened but not closed.", end, "It was closed at the end of the query.")
    return [Token("close", "", end, {})] * depth
