"""From tokens to meaning, by recursive descent. Nothing typed is an error: what makes no sense gives a notice."""

import re
from collections.abc import Collection
from dataclasses import replace
from enum import StrEnum

from backend.search_engine.query.ast import (
    And,
    Exists,
    Fuzzy,
    MatchAll,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from backend.search_engine.query.lexer import Notices, Token, tokenize
from backend.search_engine.query.syntax import (
    BOOST,
    MAX_BOOST,
    MAX_CHARACTERS,
    MAX_CLAUSES,
    MAX_DISTANCE,
    MAX_SLOP,
    MIN_BOOST,
)
from backend.search_engine.query.values import is_reversed, parse_bound

_ENDING = re.compile(rf"(?P<star>\*)?(?P<fuzzy>~(?P<distance>\d{{1,2}})?)?(?:\^(?P<boost>{BOOST}))?\Z")
_NO_BOOST = re.compile(r"(?<=.)\^(?P<written>[+\-]?[\d.,]{1,40})\Z")
_PLAIN = re.compile(r"\s*+(?!(?:AND|OR|NOT)\b)\w++(?:\s++(?!(?:AND|OR|NOT)\b)\w++){0,99}\s*")
_PLAIN_PHRASE = re.compile(r'\s*+"(\w++(?: ++\w++)*+)"\s*+')
_WORDS = re.compile(r"\w+")
_OPERATORS = frozenset({"and", "or", "not"})


class Joining(StrEnum):
    """What bare words mean side by side: all of them, or any."""

    AND = "and"
    OR = "or"


def parse_query(source: str, *, joining: Joining = Joining.AND, fields: Collection[str] | None = None) -> Query:
    """The meaning of any text. `fields` are the names an index knows; None takes every name before a colon for one.

    An empty query asks for every document.
    """
    if len(source) <= MAX_CHARACTERS and _PLAIN.fullmatch(source):
        return Query(_plain_words(source, joining), (), source)
    if len(source) <= MAX_CHARACTERS and (phrase := _PLAIN_PHRASE.fullmatch(source)):
        return Query(Phrase(phrase[1], start=phrase.start(1), end=phrase.end(1)), (), source)
    notices = Notices()
    tokens = tokenize(source, fields=fields, notices=notices)
    if tokens and all(token.kind in _OPERATORS for token in tokens):
        # `OR` alone may be a search for Oregon
        tokens = [token.as_word() for token in tokens[:MAX_CLAUSES]]
    root = _Parser(tokens, joining, notices).parse()
    return Query(root, notices.all(), source)


def _plain_words(source: str, joining: Joining) -> Node:
    """The meaning of a query of words and spaces only, without the parser: most queries are like that."""
    found = list(_WORDS.finditer(source))
    words = tuple(Word(word[0], start=word.start(), end=word.end()) for word in found[:MAX_CLAUSES])
    if len(words) == 1:
        return words[0] if joining is Joining.AND else in_any_part(words[0])
    return And(words) if joining is Joining.AND else Or(words)


class _Parser:
    """One pass over balanced tokens; `_position` is the next token to read."""

    def __init__(self, tokens: list[Token], joining: Joining, notices: Notices) -> None:
        self._tokens = tokens
        self._joining = joining
        self._notices = notices
        self._position = 0

    def parse(self) -> Node:
        node = self._group(None)
        return MatchAll() if node is None else positive(node)

    def _peek(self) -> Token | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def _group(self, field: str | None) -> Node | None:
        """Everything up to the closing parenthesis or the end; None when there is nothing in it."""
        level = _Level(self._joining)
        while (token := self._peek()) is not None and token.kind != "close":
            if token.kind in ("and", "or"):
                self._position += 1
                if not level.join(token.kind):
                    self._dangling(token)
            else:
                self._part(level, field)
        if level.is_waiting:
            self._dangling(self._tokens[self._position - 1])
        return level.node()

    def _part(self, level: "_Level", field: str | None) -> None:
        negated, token = False, self._peek()
        while token is not None and token.kind in ("not", "exclude"):
            negated, self._position, sign = not negated, self._position + 1, token
            token = self._peek()
            if token is None or token.kind in ("close", "and", "or"):
                return self._dangling(sign)
        node = self._operand(field)
        if node is not None:
            level.add(node, negated=negated)
        return None

    def _dangling(self, token: Token) -> None:
        self._notices.add(
            f"{token.text.strip()} stands alone and was left out.", token.start, "Write a word on each side of it."
        )

    def _operand(self, field: str | None) -> Node | None:
        token = self._tokens[self._position]
        self._position += 1
        if token.kind == "field":
            return self._scoped(token, field)
        if token.kind == "open":
            return self._parenthesis(token, field)
        if token.kind == "phrase":
            return self._phrase(token, field)
        if token.kind == "everything":
            return MatchAll() if field is None else Exists(field)
        if token.kind == "range" and field is not None:
            return self._range(token, field)
        return self._word(token, field)

    def _scoped(self, token: Token, outer: str | None) -> Node | None:
        following = self._peek()
        if following is None or following.kind == "close":
            return self._word(token.as_word(), outer)
        return self._operand(token.pieces["field_name"])

    def _parenthesis(self, token: Token, field: str | None) -> Node | None:
        node = self._group(field)
        close = self._tokens[self._position]
        self._position += 1
        if node is None:
            self._notices.add("There is nothing between the parentheses.", token.start, "Write words in them.")
            return None
        return boosted(node, self._boost(close, "close_boost"))

    def _boost(self, token: Token, piece: str) -> float:
        wanted = float(token.pieces.get(piece, 1.0))
        allowed = min(max(wanted, MIN_BOOST), MAX_BOOST)
        if wanted != allowed:
            self._notices.add(f"The boost {wanted:g} became {allowed:g}.", token.start, "Boosts go from 0.01 to 100.")
        return allowed

    def _phrase(self, token: Token, field: str | None) -> Node | None:
        text = token.pieces.get("straight", token.pieces.get("curly", ""))
        if not text.strip():
            self._notices.add("There is nothing between the quotation marks.", token.start, "Write words in them.")
            return None
        slop = min(int(token.pieces.get("slop", 0)), MAX_SLOP)
        start = token.start + 1
        return Phrase(text, slop, field, self._boost(token, "phrase_boost"), start=start, end=start + len(text))

    def _range(self, token: Token, field: str) -> Node:
        pieces = token.pieces
        sign, limit = pieces.get("comparison"), pieces.get("limit", "")
        low = pieces.get("low", "") if sign is None else limit if sign in (">", ">=", "≥", "=") else ""
        high = pieces.get("high", "") if sign is None else limit if sign in ("<", "<=", "≤", "=") else ""
        ends = [parse_bound(text) if text else None for text in (low, high)]
        for text, bound in zip((low, high), ends, strict=True):
            if text and bound is None:
                hint = "Write for example price:10..20 or date:>2024-01-31."
                self._notices.add(f"{text[:40]} is neither a number nor a date.", token.start, hint)
                return self._word(token.as_word(), field)
        if not low and not high:
            return Exists(field)
        if ends[0] is not None and ends[1] is not None and is_reversed(ends[0], ends[1]):
            told = f"{low} comes after {high}, so the two were swapped."
            self._notices.add(told, token.start, "Write the smaller or earlier one first.")
            ends.reverse()
        inclusive = {"includes_low": sign != ">", "includes_high": sign != "<"}
        return Range(field, ends[0], ends[1], **inclusive, start=token.start, end=token.end)

    def _word(self, token: Token, field: str | None) -> Node:
        ending = _ENDING.search(token.text)
        if ending is not None and not ending["boost"] and (wrong := _NO_BOOST.search(token.text)):
            told = f"The boost {wrong['written']} cannot be read and was left out."
            self._notices.add(told, token.start, "Write for example tea^2 or tea^0.5; boosts go from 0.01 to 100.")
            token = replace(token, text=token.text[: wrong.start()])
            ending = _ENDING.search(token.text)
        text = token.text[: ending.start()] if ending else token.text
        if ending is None or not text:
            return Word(token.text, field, start=token.start, end=token.end)
        boost = self._boost(replace(token, pieces={"boost": ending["boost"] or "1"}), "boost")
        if "*" in text:
            self._notices.add("A * works at the end of a word only.", token.start, "Write for example choco*.")
        return self._make_word(text, ending, field, boost, token.start)

    def _make_word(self, text: str, ending: re.Match[str], field: str | None, boost: float, start: int) -> Node:
        end = start + len(text)
        if ending["star"]:
            return Prefix(text, field, boost, start=start, end=end)
        if ending["fuzzy"]:
            distance = min(int(ending["distance"]), MAX_DISTANCE) if ending["distance"] else None
            return Fuzzy(text, distance, field, boost, start=start, end=end)
        return Word(text, field, boost, start=start, end=end)


class _Level:
    """The parts of one pair of parentheses: alternatives of conjunctions, and what the whole level excludes."""

    def __init__(self, joining: Joining) -> None:
        self._joining = joining
        self._alternatives: list[list[Node]] = [[]]
        self._required: list[Node] = []
        self._excluded: list[Node] = []
        self._operator = ""
        self._narrowed_last = False
        self._has_or = False
        self._has_field = False

    @property
    def is_waiting(self) -> bool:
        """Whether an operator has had no second side yet."""
        return self._operator != ""

    def join(self, operator: str) -> bool:
        """Note an AND or OR; False when it has nothing on its left."""
        if self._narrowed_last:  # what an operator joins is one side of it
            self._append(self._required.pop(), starts_alternative=True)
            self._narrowed_last = False
        if self.is_waiting or not self._alternatives[-1]:
            return False
        self._operator = operator
        self._has_or |= operator == "or"
        return True

    def add(self, node: Node, *, negated: bool) -> None:
        self._narrowed_last = False
        if negated and not self.is_waiting:
            self._excluded.append(Not(positive(node)))
            return
        if _is_condition(node) and not self.is_waiting and self._joining is Joining.OR:
            self._required.append(node)  # beside words that may match, a range still narrows
            self._narrowed_last = True
            return
        self._has_field |= _is_in_fields(node) or (isinstance(node, Or) and node.narrows)
        starts_alternative = self._operator == "or" or (not self._operator and self._joining is Joining.OR)
        self._append(Not(positive(node)) if negated else node, starts_alternative=starts_alternative)
        self._operator = ""

    def _append(self, node: Node, *, starts_alternative: bool) -> None:
        if starts_alternative and self._alternatives[-1]:
            self._alternatives.append([])
        self._alternatives[-1].append(node)

    def node(self) -> Node | None:
        alternatives = [conjunction(parts) for parts in self._alternatives if parts]
        if len(alternatives) == 1 and self._joining is Joining.OR:
            alternatives = [in_any_part(alternatives[0])]
        narrows = self._has_field and not self._has_or
        wanted = [disjunction(alternatives, narrows=narrows)] if alternatives else []
        parts = [*wanted, *self._required, *self._excluded]
        return conjunction(parts) if parts else None


def _is_condition(node: Node) -> bool:
    """Whether a node says nothing but what columns must hold, in any field."""
    if isinstance(node, And | Or):
        return all(map(_is_condition, node.parts))
    return isinstance(node, Range | Exists)


def _is_in_fields(node: Node) -> bool:
    """Whether a node is something in a field, or any of several such."""
    if isinstance(node, Or):
        return all(map(_is_in_fields, node.parts))
    return getattr(node, "field", None) is not None


def in_any_part(node: Node) -> Node:
    """What is asked for alone where any word is enough: a sentence without spaces is many words."""
    return replace(node, any_part=True) if isinstance(node, Word) and not node.text.isascii() else node


def positive(node: Node) -> Node:
    """The node itself, or every document without it when it is a `Not`."""
    return And((MatchAll(), node)) if isinstance(node, Not) else node


def conjunction(parts: list[Node]) -> Node:
    """All parts at once: nested conjunctions flattened, with a part that is not a `Not`."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    others: list[Node] = [part for part in flat if not isinstance(part, MatchAll)]
    if not any(not isinstance(part, Not) for part in others):
        others.insert(0, MatchAll())
    return others[0] if len(others) == 1 else And(tuple(others))


def disjunction(parts: list[Node], *, narrows: bool = False) -> Node:
    """Any of the parts, nested disjunctions flattened."""
    if len(parts) == 1:
        return positive(parts[0])
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (positive(part),))]
    return Or(tuple(flat), narrows)


def boosted(node: Node, factor: float) -> Node:
    """The same meaning with the boost of every text multiplied."""
    if isinstance(node, And | Or):
        return replace(node, parts=tuple(boosted(part, factor) for part in node.parts))
    if isinstance(node, Word | Phrase | Prefix | Fuzzy):
        return replace(node, boost=min(max(node.boost * factor, MIN_BOOST), MAX_BOOST))
    return node
