"""The page docs/query-language.md, made from the table that the lexer runs.

`python -m backend.search_engine.query.reference > docs/query-language.md`
"""

import sys

from backend.search_engine.query.syntax import MAX_CHARACTERS, MAX_CLAUSES, MAX_DEPTH, ROWS

_INTRODUCTION = """\
# The query language

Type words. Everything else is optional, and nothing you type is an error: what makes no sense is read as words, with a
notice that says where and what to write instead.

| write | to find | for example |
|---|---|---|
"""

_RULES = f"""\

## How it is read

- Words side by side must all match, or any of them may, as the indexer says. `AND` is stronger than `OR`:
  `a b OR c d` means `(a b) OR (c d)` when all words must match.
- `AND`, `OR` and `NOT` are written in capitals; in small letters they are words.
- `-word` and `NOT word` exclude from the whole query, or from the group in parentheses in which they stand.
  After `AND` or `OR`, `NOT` belongs to its side only: `tea OR NOT coffee`.
  A query that only excludes finds everything else.
- Words go through the same analysis as the documents: upper and lower case, accents and word forms, as each field says.
- Words that an index leaves out (stop words, function words, small words) count for nothing beside others. Where all
  words of a query are such words, nothing is found, or what the query's ranges and values say, and a notice names them;
  quotation marks do not bring them back, for they are not in the index. Where function words are kept, they are found
  like any others, in phrases too.
- `word*` finds every document with a word that begins so, and `-word*` leaves out every one. Of more than 500 such
  words the most frequent ones count in the score; documents with only others of them come last. Where the index keeps
  stems or base forms, words whose own begins otherwise (`happin*`: happiness, stem happi) are found by the commonest
  10,000 written words that begin so; when there are more, a notice says it.
- Of a word of several parts with `*` or `~` (`e-mai*`, `wi-fy~`) all parts but the last must stand right before it, or
  the parts are written as one word (`email`, `wifi`).
- Texts in scripts without spaces (Chinese, Japanese, Korean, Thai and others) are found by any characters in a row that
  they have, by a single one too. Where any word is enough, any two neighbouring characters of the query are.
- `tea,coffee` and `tea/coffee` are two words; `24/7`, `1,299` and `TCP/IP` are one.
- A word said twice counts twice.
- An empty query finds every document.
- A condition that nothing can meet because of what its field holds (`price:abc`, `price:10-20`, `title:10..20`) finds
  nothing, and a notice says what to write. `*` and `~` work on words and keywords, not on numbers and dates.
- A range or a value of a column (`price:<20`, `brand:acme`) beside words always narrows the result, also where any word
  is enough; of several values of one column one is enough then. After `OR` it is an alternative like any other.
- At most {MAX_CHARACTERS:,} characters, {MAX_CLAUSES} words or phrases, and parentheses {MAX_DEPTH} deep are read.
"""


def query_language_page() -> str:
    """The whole page."""
    rows = (
        f"| {row.written} | {row.meaning} | {', '.join(f'`{example}`' for example in row.examples)} |\n" for row in ROWS
    )
    return _INTRODUCTION + "".join(rows) + _RULES


if __name__ == "__main__":
    sys.stdout.write(query_language_page())
