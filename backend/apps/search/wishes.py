"""What a caller may wish of a search: one value, read from an address or from a JSON body, refused in sentences."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from backend.apps.errors import FieldErrors, Invalid
from backend.search_engine.query.syntax import MAX_CHARACTERS

MAX_PAGE_SIZE: Final = 100
MAX_DEPTH: Final = 10_000
"""Results that can be paged through; all of them come with an export."""
MAX_CONDITIONS: Final = 50
MAX_FACETS: Final = 20
MAX_VALUES: Final = 100
MAX_FACET_SIZE: Final = 200
DEFAULT_FACET_SIZE: Final = 10
COMPARISONS: Final = (">=", "<=", ">", "<")

Bound = str | float | None
Numbers = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class ValueCondition:
    """Any of these values."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RangeCondition:
    """From `low` on and below `high`; None is open. `with_high` takes `high` in."""

    field: str
    low: Bound = None
    high: Bound = None
    with_low: bool = True
    with_high: bool = False


Condition = ValueCondition | RangeCondition


@dataclass(frozen=True, slots=True)
class FacetWish:
    """The most frequent values of a field, or with edges how many lie between them."""

    field: str
    size: int = DEFAULT_FACET_SIZE
    edges: tuple[str | float, ...] = ()


@dataclass(frozen=True, slots=True)
class TryOut:
    """Settings to try in the place of the stored ones; None leaves the stored one."""

    k: float | None = None
    b: float | None = None
    formula: str | None = None
    weights: Numbers | None = None
    boosts: Numbers | None = None
    word_weights: Numbers | None = None

    @property
    def is_on(self) -> bool:
        return self != NOTHING_TRIED


NOTHING_TRIED: Final = TryOut()


@dataclass(frozen=True, slots=True)
class SearchWish:
    q: str = ""
    page: int = 1
    page_size: int = 10
    sort: str = ""
    filters: tuple[Condition, ...] = ()
    facets: tuple[FacetWish, ...] = ()
    safe: bool | None = None
    group: bool | None = None
    correct: bool = True
    explain: bool = False
    tried: TryOut = field(default_factory=TryOut)

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.page_size


def wish_of_pairs(pairs: Iterable[tuple[str, str]]) -> SearchWish:
    """From the parameters of an address; Invalid names each that cannot be used."""
    body: dict[str, Any] = {}
    for name, text in pairs:
        if name in _OF_BODIES:
            raise Invalid({name: [f"Write {_OF_BODIES[name]} in an address, once for each; “{name}” is for bodies."]})
        if name in _LISTS:
            body.setdefault(f"{name}s", []).append(_LISTS[name](text))
        elif name in NUMBER_LISTS:
            body[name] = _numbers_in(text)
        else:
            body[name] = text
    if "filters" in body:
        body["filters"] = _joined_values(body["filters"])
    return wish_of_json(body)


def wish_of_json(body: Any) -> SearchWish:
    """From a JSON body; Invalid names each member that cannot be used."""
    if not isinstance(body, Mapping):
        raise Invalid({"q": ["Send an object with the member “q”."]})
    errors: FieldErrors = {}
    found: dict[str, Any] = {}
    for name, value in body.items():
        try:
            found[name] = _READERS[name](value)
        except KeyError:
            errors[str(name)[:100]] = [f"There is no parameter “{str(name)[:100]}”. Known: {', '.join(_READERS)}."]
        except ValueError as error:
            errors[name] = [str(error)]
    if errors:
        raise Invalid(errors)
    tried = {name: found.pop(name) for name in _TRIED if name in found}
    return _within_depth(SearchWish(**found, tried=TryOut(**tried)))


def try_out_of_json(body: Any) -> TryOut:
    """Settings to try, from a JSON object with nothing else in it."""
    if not isinstance(body, Mapping) or not body.keys() <= set(_TRIED):
        raise Invalid({"settings": [f"Give an object with some of: {', '.join(_TRIED)}."]})
    return wish_of_json(body).tried


def json_of_try_out(tried: TryOut) -> dict[str, Any]:
    """The object that `try_out_of_json` reads."""
    lists = {name: dict(value) for name in NUMBER_LISTS if (value := getattr(tried, name)) is not None}
    plain = {name: value for name in ("k", "b", "formula") if (value := getattr(tried, name)) is not None}
    return {**plain, **lists}


def _within_depth(wish: SearchWish) -> SearchWish:
    if wish.offset + wish.page_size > MAX_DEPTH:
        raise Invalid({"page": [f"Only the first {MAX_DEPTH:,} results have pages. Narrow the search, or export it."]})
    return wish


def with_page(wish: SearchWish, page: int, page_size: int) -> SearchWish:
    return replace(wish, page=page, page_size=page_size)


# --- one value at a time; ValueError carries the sentence


def _text(value: Any, *, most: int = MAX_CHARACTERS) -> str:
    if not isinstance(value, str):
        raise ValueError("Give a text.")
    if len(value) > most:
        raise ValueError(f"This is longer than {most:,} characters. Shorten it.")
    return value.replace("\x00", " ")


def _whole(value: Any, *, low: int, high: int) -> int:
    try:
        number = int(value) if isinstance(value, str | int) and not isinstance(value, bool) else None
    except ValueError:
        number = None
    if number is None or not low <= number <= high:
        raise ValueError(f"Give a whole number from {low:,} to {high:,}.")
    return number


def _number(value: Any, *, low: float = -math.inf, high: float = math.inf) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("Give a number.")
    if not low <= number <= high:
        raise ValueError(f"Give a number from {low:g} to {high:g}.")
    return number


_FLAGS: Final = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "": False}


def read_flag(value: Any) -> bool:
    """Yes or no as an address or a body says it; ValueError tells how."""
    known = value if isinstance(value, bool) else _FLAGS.get(str(value).lower())
    if known is None:
        raise ValueError("Give 1 or 0.")
    return known


def _numbers(value: Any) -> Numbers:
    if not isinstance(value, Mapping):
        raise ValueError("Give names with numbers, such as name:2,description:0.5.")
    if len(value) > 1_000:
        raise ValueError("There can be at most 1,000 of these.")
    return tuple((_text(name, most=200), _number(number)) for name, number in value.items())


def _numbers_in(text: str) -> dict[str, str]:
    """`name:2,description:0.5` as a mapping; a part without a number becomes one that is refused."""
    parts = [part.rpartition(":") for part in text.split(",") if part.strip()]
    return {name.strip() or number.strip(): number.strip() if colon else "?" for name, colon, number in parts}


def _condition_in(text: str) -> dict[str, Any]:
    """`brand:Acme`, `price:10..20` (both ends included), `price:>=10`, `price:<20`, `brand:"<5 kg"` (that value)."""
    name, _, rest = _named(text)
    if _is_quoted(rest):
        return {"field": name, "values": [rest[1:-1]]}
    for sign in COMPARISONS:
        if rest.startswith(sign):
            end = "low" if sign.startswith(">") else "high"
            return {"field": name, end: rest.removeprefix(sign), f"with_{end}": sign.endswith("=")}
    low, dots, high = rest.partition("..")
    if dots:
        return {"field": name, "low": low or None, "high": high or None, "with_high": True}
    return {"field": name, "values": [rest]}


def _named(text: str) -> tuple[str, str, str]:
    """The field, a colon or none, and what is said of it; a name between quotes may have colons in it."""
    if text.startswith('"') and (end := text.find('":', 1)) > 0:
        return text[1:end], ":", text[end + 2 :]
    return (text[1:-1], "", "") if _is_quoted(text) else text.partition(":")


def _is_quoted(text: str) -> bool:
    """Whether what stands between the first and the last character is meant as it is."""
    return len(text) > 1 and text.startswith('"') and text.endswith('"')


def _joined_values(conditions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Several values of one field mean any of them, as boxes ticked in one facet do."""
    joined: list[dict[str, Any]] = []
    by_field: dict[str, dict[str, Any]] = {}
    for condition in conditions:
        if "values" in condition and (first := by_field.setdefault(condition["field"], condition)) is not condition:
            first["values"].extend(condition["values"])
        else:
            joined.append(condition)
    return joined


def _facet_in(text: str) -> dict[str, Any]:
    """`brand`, `brand:20` (so many values), `price:0,50,100` (edges)."""
    name, colon, rest = _named(text)
    if not colon:
        return {"field": name}
    return {"field": name, "edges": rest.split(",")} if "," in rest else {"field": name, "size": rest}


def _conditions(value: Any) -> tuple[Condition, ...]:
    return tuple(_condition(each) for each in _listed(value, MAX_CONDITIONS))


def _condition(value: Any) -> Condition:
    given = _member_names(value, {"field", "values", "low", "high", "with_low", "with_high"})
    name = _text(given.get("field", ""), most=200)
    if not name:
        raise ValueError("Say which field to filter by, such as brand:Acme or price:10..20.")
    if "values" in given:
        values = tuple(_text(each, most=1_000) for each in _listed(given["values"], MAX_VALUES))
        if not values or not any(values):
            raise ValueError(f"Say which values of “{name}” you want, such as {name}:Acme or {name}:10..20.")
        return ValueCondition(name, values)
    return RangeCondition(
        name,
        _bound(given.get("low")),
        _bound(given.get("high")),
        with_low=read_flag(given.get("with_low", True)),
        with_high=read_flag(given.get("with_high", False)),
    )


def _bound(value: Any) -> Bound:
    if value is None or value == "":
        return None
    return _number(value) if isinstance(value, int | float) else _text(value, most=100)


def _facets(value: Any) -> tuple[FacetWish, ...]:
    return tuple(_facet(each) for each in _listed(value, MAX_FACETS))


def _facet(value: Any) -> FacetWish:
    given = _member_names({"field": value} if isinstance(value, str) else value, {"field", "size", "edges"})
    name = _text(given.get("field", ""), most=200)
    edges = tuple(edge for each in _listed(given.get("edges", []), MAX_VALUES) if (edge := _bound(each)) is not None)
    size = _whole(given.get("size", DEFAULT_FACET_SIZE), low=1, high=MAX_FACET_SIZE)
    return FacetWish(name, size, edges)


def _listed(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("Give a list.")
    if len(value) > most:
        raise ValueError(f"There can be at most {most} of these.")
    return value


def _member_names(value: Any, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not value.keys() <= known:
        raise ValueError(f"Give objects with {', '.join(sorted(known))}.")
    return value


_LISTS: Final = {"filter": _condition_in, "facet": _facet_in}
_OF_BODIES: Final = {f"{name}s": name for name in _LISTS}
NUMBER_LISTS: Final = ("weights", "boosts", "word_weights")
_TRIED: Final = ("k", "b", "formula", *NUMBER_LISTS)
_READERS: Final = {
    "q": _text,
    "page": lambda value: _whole(value, low=1, high=MAX_DEPTH),
    "page_size": lambda value: _whole(value, low=1, high=MAX_PAGE_SIZE),
    "sort": lambda value: _text(value, most=200),
    "filters": _conditions,
    "facets": _facets,
    "safe": read_flag,
    "group": read_flag,
    "correct": read_flag,
    "explain": read_flag,
    "k": lambda value: _number(value, low=0, high=1_000),
    "b": lambda value: _number(value, low=0, high=1),
    "formula": _text,
    "weights": _numbers,
    "boosts": _numbers,
    "word_weights": _numbers,
}
