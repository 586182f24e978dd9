"""The words of an XPath 1.0 expression, with their places, so that faults can be shown where they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crawler_node.extract.errors import SelectorError

NAME = r"[^\W\d][\w.\-]*"

_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<literal>"[^"]*"|'[^']*')
  | (?P<number>\d+(?:\.\d*)?|\.\d+)
  | (?P<variable>\${NAME}(?::{NAME})?)
  | (?P<axis>{NAME}(?=\s*::))
  | (?P<name>{NAME}(?::(?!:)(?:{NAME}|\*))?)
  | (?P<open>[(\[])
  | (?P<close>[)\]])
  | (?P<symbol>//|::|\.\.|!=|<=|>=|[/.@|+\-=<>,*])
    """,
    re.VERBOSE,
)
_PARTNER = {")": "(", "]": "["}
_CLOSER = {"(": ")", "[": "]"}
_TYPOGRAPHIC_QUOTES = "“”„‟‘’‚‛«»`´"


@dataclass(frozen=True, slots=True)
class Token:
    """One word: its kind (literal, number, variable, axis, name, open, close, symbol), its text and where it starts."""

    kind: str
    text: str
    position: int


def tokenize(source: str) -> list[Token]:
    """The words of `source` without white space; raises SelectorError at the first character that starts none."""
    tokens = []
    position = 0
    while position < len(source):
        match = _TOKEN.match(source, position)
        if match is None:
            raise _stray_character(source, position)
        if match.lastgroup and match.lastgroup != "space":
            tokens.append(Token(match.lastgroup, match.group(), position))
        position = match.end()
    return tokens


def _stray_character(source: str, position: int) -> SelectorError:
    character = source[position]
    if character in "\"'":
        message = f"The text that begins with {character} has no closing {character}."
        return SelectorError(message, position=position, hint=f"Add {character} where the text ends.")
    if character in _TYPOGRAPHIC_QUOTES:
        message = f"{character} is a typographic quote, which XPath does not know."
        return SelectorError(message, position=position, hint="Use a straight ' or \" instead.")
    message = f"XPath has no use for {character}."
    if character == "!":
        return SelectorError(message, position=position, hint="To say “not equal” write !=, to negate write not(…).")
    if character == "&":
        return SelectorError(message, position=position, hint="To ask for both conditions write “and” between them.")
    if character == "$":
        return SelectorError(message, position=position, hint="Selectors cannot use variables; write the value itself.")
    return SelectorError(message, position=position, hint="Remove it, or put it in quotes if it is text to look for.")


def check_brackets(tokens: Sequence[Token], *, max_depth: int) -> None:
    """Raises SelectorError at the first bracket without its partner, or nested deeper than `max_depth`."""
    stack: list[Token] = []
    for token in tokens:
        if token.kind == "open":
            stack.append(token)
            if len(stack) > max_depth:
                message = f"The brackets are nested more than {max_depth} deep."
                raise SelectorError(message, position=token.position, hint="Write a simpler expression.")
        elif token.kind == "close":
            if not stack or stack[-1].text != _PARTNER[token.text]:
                raise _unopened(token, stack)
            stack.pop()
    if stack:
        opened = stack[-1]
        message = f"This {opened.text} is never closed."
        raise SelectorError(message, position=opened.position, hint=f"Add the missing {_CLOSER[opened.text]}.")


def _unopened(token: Token, stack: Sequence[Token]) -> SelectorError:
    if stack:
        opened = stack[-1]
        message = f"{token.text} stands here while a {opened.text} is still open."
        return SelectorError(message, position=token.position, hint=f"Put {_CLOSER[opened.text]} before it.")
    message = f"{token.text} has no {_PARTNER[token.text]} before it."
    return SelectorError(message, position=token.position, hint=f"Remove it or add the missing {_PARTNER[token.text]}.")


@dataclass(frozen=True, slots=True)
class Call:
    """A function call: the token of its name and the first token of each of its arguments."""

    name: Token
    first_tokens: Sequence[Token]


def function_calls(tokens: Sequence[Token]) -> Iterator[Call]:
    """Every `name(…)` of balanced tokens, node tests such as `text()` among them."""
    operators = operator_flags(tokens)
    for index, token in enumerate(tokens[:-1]):
        if token.kind == "name" and tokens[index + 1].text == "(" and not operators[index]:
            yield Call(token, _arguments(tokens, index + 2))


def _arguments(tokens: Sequence[Token], start: int) -> list[Token]:
    firsts: list[Token] = []
    depth = 0
    expects_argument = True
    for token in tokens[start:]:
        if depth == 0 and token.kind == "close":
            break
        if depth == 0 and token.text == ",":
            expects_argument = True
            continue
        if expects_argument:
            firsts.append(token)
            expects_argument = False
        depth += (token.kind == "open") - (token.kind == "close")
    return firsts


def operator_flags(tokens: Sequence[Token]) -> list[bool]:
    """For each token whether it is an operator: names and `*` by what stands before them (XPath 1.0, 3.7)."""
    flags: list[bool] = []
    for index, token in enumerate(tokens):
        if token.kind == "name" or token.text == "*":
            flags.append(index > 0 and not flags[-1] and not _opens(tokens[index - 1]))
        else:
            flags.append(token.kind == "symbol" and token.text not in {".", "..", "@", "::", ","})
    return flags


def _opens(token: Token) -> bool:
    return token.kind == "open" or token.text in {"@", "::", ","}


def is_absolute_path(tokens: Sequence[Token]) -> bool:
    """Whether balanced tokens are one path from the top of the page: its result is the same from every node."""
    if not tokens or tokens[0].text not in {"/", "//"}:
        return False
    depth = 0
    for token, is_operator in zip(tokens, operator_flags(tokens), strict=True):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0 and is_operator and token.text not in {"/", "//"}:
            return False
    return True
