"""What XPath 1.0 has and what it has not: functions with their arguments, axes, and the XPath 2 people try by habit."""

from collections.abc import Sequence

from crawler_node.extract.errors import SelectorError
from crawler_node.extract.xpath_tokens import Call, Token, function_calls, operator_flags

ANY = 99
# name: fewest and most arguments
FUNCTIONS = {
    "boolean": (1, 1),
    "ceiling": (1, 1),
    "concat": (2, ANY),
    "contains": (2, 2),
    "count": (1, 1),
    "false": (0, 0),
    "floor": (1, 1),
    "id": (1, 1),
    "lang": (1, 1),
    "last": (0, 0),
    "local-name": (0, 1),
    "name": (0, 1),
    "namespace-uri": (0, 1),
    "normalize-space": (0, 1),
    "not": (1, 1),
    "number": (0, 1),
    "position": (0, 0),
    "round": (1, 1),
    "starts-with": (2, 2),
    "string": (0, 1),
    "string-length": (0, 1),
    "substring": (2, 3),
    "substring-after": (2, 2),
    "substring-before": (2, 2),
    "sum": (1, 1),
    "translate": (3, 3),
    "true": (0, 0),
}
NODE_TESTS = {"comment": (0, 0), "node": (0, 0), "processing-instruction": (0, 1), "text": (0, 0)}
AXES = {
    "ancestor",
    "ancestor-or-self",
    "attribute",
    "child",
    "descendant",
    "descendant-or-self",
    "following",
    "following-sibling",
    "parent",
    "preceding",
    "preceding-sibling",
    "self",
}
OPERATORS = {"and", "or", "mod", "div"}
_NEED_NODES = {"count", "sum", "local-name", "name", "namespace-uri"}

_LOWER = "translate(…, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"
# XPath 2 and later, and what people take from other languages: what to write instead.
_INSTEAD = {
    "avg": "Use sum(…) div count(…).",
    "class": "Use contains(concat(' ', @class, ' '), ' name ').",
    "distinct-values": "Take all values with “multiple” and clean them up later.",
    "empty": "Use not(…).",
    "ends-with": "Use substring(a, string-length(a) - string-length(b) + 1) = b.",
    "exists": "Write the path itself: it holds when something matches.",
    "has-class": "Use contains(concat(' ', @class, ' '), ' name ').",
    "index-of": "Use count(preceding-sibling::*) + 1.",
    "innertext": "Use normalize-space(.).",
    "lower-case": f"Use {_LOWER}.",
    "lowercase": f"Use {_LOWER}.",
    "matches": "Use contains(…) or starts-with(…), and a clean-up expression for the rest.",
    "replace": "Use translate(…) for single characters, or a clean-up expression.",
    "string-join": "Use concat(…), or select the element: its text is joined by itself.",
    "tokenize": "Select the whole text and cut it with a clean-up expression.",
    "trim": "Use normalize-space(…); values are trimmed anyway.",
    "upper-case": f"Use {_LOWER} the other way round.",
}
_WORD_OPERATORS = {
    "eq": "=",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "is": "=",
    "union": "|",
    "AND": "and",
    "OR": "or",
}


def check_grammar(tokens: Sequence[Token]) -> None:
    """Raises SelectorError at the first thing that is not XPath 1.0 though its words are."""
    for call in function_calls(tokens):
        _check_call(call)
    _check_steps(tokens)
    _check_words(tokens)


def _check_steps(tokens: Sequence[Token]) -> None:
    for slash, name, parenthesis in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if slash.text in {"/", "//"} and name.text in FUNCTIONS and parenthesis.text == "(":
            message = f"The function {name.text}() cannot be a step of a path."
            hint = f"That is XPath 2; write {name.text}(…) around the path instead."
            raise SelectorError(message, position=name.position, hint=hint)


def _check_words(tokens: Sequence[Token]) -> None:
    operators = operator_flags(tokens)
    for index, token in enumerate(tokens):
        if token.kind == "variable":
            message = f"{token.text} is a variable, and selectors have none."
            raise SelectorError(message, position=token.position, hint="Write the value itself.")
        if token.kind == "axis" and token.text not in AXES:
            message = f"XPath has no axis “{token.text}”."
            raise SelectorError(message, position=token.position, hint=f"The axes are {', '.join(sorted(AXES))}.")
        if token.kind == "name":
            _check_name(tokens, index, is_operator=operators[index])


def _check_name(tokens: Sequence[Token], index: int, *, is_operator: bool) -> None:
    token = tokens[index]
    if is_operator and token.text not in OPERATORS:
        raise _wrong_operator(token)
    if ":" in token.text:
        message = f"“{token.text}” has a namespace prefix, and selectors know no namespaces."
        local = token.text.partition(":")[2]
        hint = f"Write *[local-name()='{local}'] instead." if local != "*" else "Write * instead."
        raise SelectorError(message, position=token.position, hint=hint)
    following = tokens[index + 1].kind if index + 1 < len(tokens) else ""
    if token.text in {"for", "some", "every"} and following == "variable":
        message = f"“{token.text}” belongs to XPath 2; selectors are XPath 1.0."
        raise SelectorError(message, position=token.position, hint="Put the condition in square brackets instead.")


def _wrong_operator(token: Token) -> SelectorError:
    instead = _WORD_OPERATORS.get(token.text)
    if instead:
        message = f"“{token.text}” is not an operator of XPath 1.0."
        return SelectorError(message, position=token.position, hint=f"Write {instead} instead.")
    message = f"“{token.text}” stands where an operator is expected."
    return SelectorError(message, position=token.position, hint="Put /, |, = or “and” before it, or remove it.")


def _check_call(call: Call) -> None:
    name = call.name.text
    bounds = FUNCTIONS.get(name) or NODE_TESTS.get(name)
    if bounds is None:
        raise _unknown_function(call)
    fewest, most = bounds
    given = len(call.first_tokens)
    if not fewest <= given <= most:
        wanted = _describe_count(fewest, most)
        message = f"{name}() needs {wanted} between its parentheses and has {given or 'none'}."
        raise SelectorError(message, position=call.name.position, hint="Add or remove what is between them.")
    if name in _NEED_NODES and given and call.first_tokens[0].kind in {"literal", "number"}:
        message = f"{name}() works on elements, and is given the value {call.first_tokens[0].text}."
        raise SelectorError(message, position=call.first_tokens[0].position, hint="Give it a path such as //li.")


def _describe_count(fewest: int, most: int) -> str:
    if most == ANY:
        return f"at least {fewest} values"
    if fewest == most:
        return {0: "nothing", 1: "one value"}.get(fewest, f"{fewest} values")
    return f"{fewest} to {most} values"


def _unknown_function(call: Call) -> SelectorError:
    name = call.name.text.rpartition(":")[2]
    message = f"XPath 1.0 has no function {call.name.text}()."
    hint = _INSTEAD.get(name.lower()) or _similar(name) or "Use only the functions of XPath 1.0."
    if name in {"if", "switch"}:
        hint = "Use fallback selectors: they are tried in order."
    return SelectorError(message, position=call.name.position, hint=hint)


def _similar(name: str) -> str:
    plain = name.lower().replace("_", "-")
    for known in (*FUNCTIONS, *NODE_TESTS):
        if plain.replace("-", "") == known.replace("-", "") or plain.rstrip("s") == known:
            return f"Did you mean {known}()?"
    return ""
