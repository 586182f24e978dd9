"""XPath selectors: compiled once, checked with sentences a person can act on.

Only XPath 1.0 and its own functions: no variables, no namespaces, no extension functions, nothing that reads files.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from lxml import etree

from crawler_node.extract.css_selectors import css_to_xpath, looks_like_css
from crawler_node.extract.errors import SelectorError
from crawler_node.extract.xpath_grammar import check_grammar
from crawler_node.extract.xpath_shortcuts import quick_xpath
from crawler_node.extract.xpath_tokens import Token, check_brackets, is_absolute_path, tokenize

MAX_SELECTOR_CHARS = 4_000
MAX_NESTING = 24

Node = etree._Element
Match = Node | str
"""What a selector finds: an element, or the text of a text node, an attribute or a computed value."""


@dataclass(frozen=True, slots=True)
class Selector:
    """A compiled XPath. `source` is what the person wrote, without white space around it.

    `is_absolute` means that it finds the same from every node of a page, so that once per page is enough.
    """

    source: str
    _xpath: etree.XPath
    is_absolute: bool = False

    def select(self, node: Node) -> list[Match]:
        """Every match in document order; a string or a number counts as one match, the empty string and NaN as none.

        Raises SelectorError where the expression cannot be evaluated at all, as in a count of what is no node.
        """
        try:
            result: Any = self._xpath(node)
        except etree.XPathError as error:
            _raise_evaluation(self.source, error)
        if type(result) is list:
            return result
        text = _text_of(result)
        return [text] if text else []

    def __reduce__(self) -> tuple[object, ...]:
        return (compile_selector, (self.source,))


def compile_selector(source: str) -> Selector:
    """The selector for an XPath 1.0 expression; raises SelectorError saying what is wrong, where, and what to do."""
    text = source.strip()
    _check_text(source, text)
    offset = len(source) - len(source.lstrip())
    try:
        tokens = _checked_tokens(text)
        etree.XPath(text, smart_strings=False, regexp=False)  # errors are to tell of what the person wrote
        xpath = etree.XPath(quick_xpath(text, tokens), smart_strings=False, regexp=False)
        return Selector(text, xpath, is_absolute=is_absolute_path(tokens))
    except SelectorError as error:
        raise _shifted(error, offset) from None
    except etree.XPathSyntaxError as error:
        _raise_syntax(text, error, offset)


def _check_text(source: str, text: str) -> None:
    if not text:
        raise SelectorError("The selector is empty.", hint="Write an XPath such as //h1.")
    if len(text) > MAX_SELECTOR_CHARS:
        message = f"The selector has {len(text):,} characters; at most {MAX_SELECTOR_CHARS:,} are allowed."
        raise SelectorError(message, position=MAX_SELECTOR_CHARS, hint="Write a shorter one.")
    for position, character in enumerate(source):
        if (character < " " and not character.isspace()) or "\ud800" <= character <= "\udfff":
            message = "There is an invisible control character."
            raise SelectorError(message, position=position, hint="Remove it; typing the expression anew is easiest.")


def _checked_tokens(text: str) -> list[Token]:
    _refuse_wrapping(text)
    if looks_like_css(text):
        raise _css_mistake(text)
    tokens = tokenize(text)
    check_brackets(tokens, max_depth=MAX_NESTING)
    check_grammar(tokens)
    return tokens


def _refuse_wrapping(text: str) -> None:
    for start in ("$x(", "xpath=", "xpath:", "css=", "document.", "http://", "https://", "<"):
        if text.lower().startswith(start):
            message = f"The selector begins with {start}, which is not part of an XPath."
            raise SelectorError(message, position=0, hint="Write only the expression itself, such as //h1.")


def _css_mistake(text: str) -> SelectorError:
    translated = css_to_xpath(text)
    hint = f"Write {translated} instead." if translated else "Write an XPath such as //div[@class='price'] instead."
    return SelectorError("This is a CSS selector, and an XPath is needed here.", hint=hint)


def _shifted(error: SelectorError, offset: int) -> SelectorError:
    if not offset or error.position is None:
        return error
    return SelectorError(error.message, position=error.position + offset, hint=error.hint)


def _raise_syntax(text: str, error: etree.XPathSyntaxError, offset: int) -> NoReturn:
    position = _error_position(text, error)
    rest = text[position:].strip()
    if not rest:
        message = "The expression ends too early: something is missing after its last character."
        hint = "Remove a trailing / or operator, or finish the condition."
    else:
        message = f"The expression cannot be understood from “{rest[:24]}” on."
        hint = "Check what stands right before it: a missing /, operator or condition."
    raise SelectorError(message, position=position + offset, hint=hint) from None


def _error_position(text: str, error: etree.XPathSyntaxError) -> int:
    """libxml2 counts the bytes of UTF-8; people count characters."""
    entry = error.error_log.last_error
    column = entry.column if entry is not None else 0
    return len(text.encode()[:column].decode(errors="ignore"))


def _raise_evaluation(source: str, error: etree.XPathError) -> NoReturn:
    message = f"The selector {source[:80]} cannot be evaluated: {str(error)[:1].lower()}{str(error)[1:].rstrip('.')}."
    raise SelectorError(message, hint="Check what its functions and predicates are given.") from None


def _text_of(result: object) -> str:
    if isinstance(result, bool):
        return "true" if result else "false"
    if isinstance(result, float):
        if math.isnan(result):
            return ""
        return str(int(result)) if result.is_integer() else repr(result)
    return str(result)


def compile_selectors(sources: Sequence[str]) -> list[Selector]:
    """All of `sources` compiled, in order."""
    return [compile_selector(source) for source in sources]
