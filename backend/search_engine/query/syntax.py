"""The table of the query language: the lexer runs its patterns in this order, docs/query-language.md prints them."""

from dataclasses import dataclass

MAX_CHARACTERS = 2_000
MAX_CLAUSES = 100
MAX_DEPTH = 20
MAX_DISTANCE = 2
MAX_SLOP = 100
MIN_BOOST, MAX_BOOST = 0.01, 100.0

_QUOTES = '"“”„«»'
BOOST = r"\d{1,30}(?:\.\d{0,30})?|\.\d{1,30}"
_BOOST = r"(?:\^(?P<{name}_boost>" + BOOST.replace("{", "{{").replace("}", "}}") + "))?"
_END = rf"(?=[\s(){_QUOTES}]|$)"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing a person can write. `pattern` is what the lexer looks for; rows without one are endings of a word."""

    name: str
    pattern: str
    written: str
    meaning: str
    examples: tuple[str, ...]


ROWS = (
    Row(
        "phrase",
        r'(?:"(?P<straight>[^"]*)"|[“„«](?P<curly>[^“”„«»]*)[”“»])(?:~(?P<slop>\d{1,4}))?'
        + _BOOST.format(name="phrase"),
        '`"words in a row"`, `"near words"~3`',
        "the words side by side in this order; with `~3` up to 3 other words may stand between them in all",
        ('"espresso machine"', '"machine milk"~3'),
    ),
    Row("open", r"\(", "`(`", "begins a group", ("(tea OR coffee) cup",)),
    Row(
        "close",
        r"\)" + _BOOST.format(name="close"),
        "`)`, `)^2`",
        "ends a group, and may boost it",
        ("(tea coffee)^2 cup",),
    ),
    Row("and", rf"AND{_END}", "`AND`", "both sides must match; stronger than `OR`", ("tea AND cup",)),
    Row("or", rf"OR{_END}", "`OR`", "one side is enough", ("tea OR coffee",)),
    Row("not", rf"NOT{_END}", "`NOT`", "without what follows", ("tea NOT green",)),
    Row("exclude", r"-(?=[^\s\-])", "`-`", "without what follows, in the whole group or query", ("tea -green",)),
    Row(
        "field",
        r"(?P<field_name>[^\W\d][\w.]*):(?=[^\s)])",
        "`field:`",
        "looks in one field only; also before a phrase or a group",
        ("title:tea", 'title:"green tea"', "title:(tea OR coffee)"),
    ),
    Row(
        "range",
        r"(?P<comparison>>=|<=|>|<|=|≥|≤)(?P<limit>[^\s()\"]+)|(?P<low>[^\s()\".]*(?:\.\d[^\s()\".]*)*)\.\.(?P<high>[^\s()\"]*)",
        "`10..20`, `10..`, `..20`, `>10`, `>=10`, `<20`, `<=20`, `=10`",
        "after `field:`, also in its parentheses, the numbers or dates between the ends; `..` includes both ends. "
        "Thousands may be apart (`1,299`, `1.299,00`); in `1.299` the point is a decimal one. A date is `2024`, "
        "`2024-01`, `2024-01-31`, `31.01.2024` or `2024-01-31T10:00Z`, and stands for the whole year, month or day",
        ("price:10..20", "price:<15.50", "price:(<10 OR 20..30)", "date:>2024-01-01", "date:2024-01..2024-03"),
    ),
    Row(
        "everything",
        rf"\*{_END}",
        "`*`, `field:*`",
        "every document; after `field:` every document with a value there",
        ("*", "price:*"),
    ),
    Row(
        "word",
        rf"[^\s(){_QUOTES}]+",
        "`word`",
        "documents with the word, in any form that the field's analysis makes equal",
        ("tea",),
    ),
    Row("prefix", "", "`word*`", "words that begin like this, and keywords", ("choco*", "brand:app*")),
    Row(
        "fuzzy",
        "",
        "`word~`, `word~1`",
        "words with a typing error or two: at most 1 or 2, or by the word's length",
        ("choclate~", "cofee~1"),
    ),
    Row("boost", "", "`word^2`", "counts so many times as much, from 0.01 to 100", ("tea^3 cup", '"green tea"^2')),
    Row("quote", rf"[{_QUOTES}]", "a single quote", "is left out, and what follows it are words", ('"green tea',)),
)
