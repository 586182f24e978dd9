"""What must be true of an indexer or a dictionary before it is stored; sentences by field path where it is not."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import re2

from backend.apps.errors import FieldErrors
from backend.apps.indexers import standard_fields
from backend.apps.indexers.column_plans import is_pattern
from backend.apps.indexers.dictionary_entries import check_entries
from backend.apps.indexers.standard_fields import HITS, STATIC_VARIABLES, static_variables
from backend.apps.sentences import merge_errors, name_sentence, variable_sentence, with_place
from backend.search_engine.errors import AnalysisError
from backend.search_engine.ranking.formula import FormulaError, parse_formula
from backend.search_engine.ranking.ranking import MAX_WEIGHT
from backend.search_engine.text.languages import Reduction, reducer_for

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]{2,4})?")
ORIGIN = re.compile(r"\*|https?://[^/\s?#@]+")
MAX_WORDS = 10_000
MAX_COLUMNS = 200
MAX_PUBLIC_PER_MINUTE = 1_000_000
WEIGHTS = ("text", "formula", *STATIC_VARIABLES, "title", "headings", "phrase", "subsequence")
"""Of every indexer; one that counts hubs and authorities has `HITS` too."""
_QUIET = re2.Options()
_QUIET.log_errors = False


def check_indexer(values: Mapping[str, Any]) -> FieldErrors:
    """Checks what is there; the formula is checked against the columns where both are given."""
    errors: FieldErrors = {}
    hits: bool = values.get("hits", False)
    if sentence := _language_sentence(values.get("language", "en")):
        errors["language"] = [sentence]
    merge_errors(errors, "columns", _check_columns(values.get("columns", ()), values.get("language", "en"), hits=hits))
    merge_errors(errors, "public_origins", _check_origins(values.get("public_origins", ())))
    merge_errors(errors, "stop_words", _check_stop_words(values.get("stop_words", ())))
    merge_errors(errors, "word_weights", _check_word_weights(values.get("word_weights", {})))
    merge_errors(errors, "weights", _check_weights(values.get("weights", {}), hits=hits))
    merge_errors(errors, "synonyms", _check_synonyms(values.get("synonyms", ())))
    if sentence := formula_sentence(values.get("formula", ""), values.get("columns"), hits=hits):
        errors["formula"] = [sentence]
    return errors


def check_dictionary(values: Mapping[str, Any]) -> FieldErrors:
    sentences = check_entries(values.get("entries", ""))
    return {"entries": sentences} if sentences else {}


def formula_sentence(formula: str, columns: Sequence[Mapping[str, Any]] | None, *, hits: bool = False) -> str | None:
    """Why this formula cannot be used; None when it can or is empty. `hits`: hubs and authorities are counted."""
    if not formula.strip():
        return None
    try:
        parsed = parse_formula(formula)
    except FormulaError as error:
        return with_place(error.message, error.position, error.hint)
    if columns is None:
        return None
    known = {column["variable"] for column in columns if column.get("variable")}
    unknown = parsed.check_variables(known | set(static_variables(hits=hits)))
    return with_place(unknown.message, unknown.position, unknown.hint) if unknown else None


def _check_columns(columns: Sequence[Mapping[str, Any]], language: str, *, hits: bool) -> FieldErrors:
    errors: FieldErrors = {}
    if len(columns) > MAX_COLUMNS:
        errors[""] = [f"An indexer can have at most {MAX_COLUMNS} columns."]
    for place, column in enumerate(columns):
        merge_errors(errors, str(place), _check_column(column, language, hits=hits))
        for field in ("name", "variable"):
            earlier = [other.get(field, "") for other in columns[:place]]
            if column.get(field) and column[field] in earlier:
                sentence = f"The {field} “{column[field]}” is used twice in this indexer. Choose another."
                merge_errors(errors, str(place), {field: [sentence]})
    return errors


def _check_column(column: Mapping[str, Any], language: str, *, hits: bool) -> FieldErrors:
    errors: FieldErrors = {}
    name, variable = column.get("name", ""), column.get("variable", "")
    if sentence := name_sentence(name) or _taken_sentence(name) or _hits_sentence(name, hits=hits):
        errors["name"] = [sentence]
    if sentence := _column_variable_sentence(variable) or _hits_sentence(variable, hits=hits):
        errors["variable"] = [sentence]
    if (own := column.get("language", "")) and not LANGUAGE.fullmatch(own):
        errors["language"] = ["Give a language code such as en or de, or leave it empty for the indexer's language."]
    elif sentence := _reduction_sentence(own or language, column.get("reduction", "stem")):
        errors["reduction"] = [sentence]
    if not 0 <= column.get("boost", 1.0) <= MAX_WEIGHT:
        errors["boost"] = [f"A boost is a number from 0 to {MAX_WEIGHT:,.0f}."]
    if not column.get("sources"):
        errors["sources"] = ["Choose at least one inspector that fills this column."]
    return errors


def _taken_sentence(name: str) -> str | None:
    if name in standard_fields.NAMES or name == standard_fields.FRESHNESS:
        return f"“{name}” is a field that every index has. Choose another name."
    return None


def _hits_sentence(name: str, *, hits: bool) -> str | None:
    """An indexer that does not count them may use their names."""
    if hits and name in HITS:
        return f"“{name}” is a field of an indexer that counts hubs and authorities. Choose another name."
    return None


def _language_sentence(language: str) -> str | None:
    return None if LANGUAGE.fullmatch(language) else "Give a language code such as en or de."


def _reduction_sentence(language: str, reduction: str) -> str | None:
    """Why word forms of this language cannot be brought together in this way."""
    try:
        reducer_for(language.partition("-")[0], Reduction(reduction))
    except AnalysisError as error:
        return str(error)
    return None


def _check_origins(origins: Sequence[str]) -> FieldErrors:
    sentence = "Write the address of a website without a path, such as https://example.org, or * for any."
    return {str(place): [sentence] for place, origin in enumerate(origins) if not ORIGIN.fullmatch(origin)}


def _column_variable_sentence(variable: str) -> str | None:
    if variable in STATIC_VARIABLES or variable in standard_fields.NAMES:
        return f"“{variable}” is already the name of a built-in variable. Choose another."
    return variable_sentence(variable)


def _check_stop_words(words: Sequence[str]) -> FieldErrors:
    """A stop word is a word, or a regular expression between slashes."""
    errors: FieldErrors = {}
    if len(words) > MAX_WORDS:
        errors[""] = [f"There can be at most {MAX_WORDS:,} stop words."]
    for place, word in enumerate(words):
        if sentence := _stop_word_sentence(word):
            errors[str(place)] = [sentence]
    return errors


def _stop_word_sentence(word: str) -> str | None:
    if not word.strip():
        return "Remove this empty line."
    if not is_pattern(word):
        return None
    try:
        re2.compile(word[1:-1], options=_QUIET)
    except re2.error as error:
        why = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else error
        return f"This regular expression cannot be read: {why}. Write a plain word or mend the expression."
    return None


def _check_word_weights(weights: Mapping[str, float]) -> FieldErrors:
    unusable = {word: [sentence] for word in weights if (sentence := name_sentence(word) or _words_sentence(word))}
    return unusable or _check_numbers(weights)


def _words_sentence(text: str) -> str | None:
    if len(text.split()) < 2:
        return None
    return "A weight is for one word. Give each of these words its own, or use the weight phrase for words in a row."


def _check_weights(weights: Mapping[str, float], *, hits: bool) -> FieldErrors:
    known = (*WEIGHTS, *HITS) if hits else WEIGHTS
    unknown = {name: [_weight_sentence(name, known)] for name in weights if name not in known}
    return unknown or _check_numbers(weights)


def _weight_sentence(name: str, known: Sequence[str]) -> str:
    if name in HITS:
        return f"“{name}” can be weighed where hubs and authorities are counted. Switch that on (hits), or remove it."
    return f"There is no weight “{name}”. Known: {', '.join(known)}."


def _check_numbers(numbers: Mapping[str, float]) -> FieldErrors:
    if len(numbers) > MAX_WORDS:
        return {"": [f"There can be at most {MAX_WORDS:,} of these."]}
    sentence = f"Give a number from 0 to {MAX_WEIGHT:,.0f}."
    return {
        name: [sentence]
        for name, number in numbers.items()
        if isinstance(number, bool) or not math.isfinite(number) or not 0 <= number <= MAX_WEIGHT
    }


def _check_synonyms(groups: Sequence[Sequence[str]]) -> FieldErrors:
    if len(groups) > MAX_WORDS:
        return {"": [f"There can be at most {MAX_WORDS:,} groups of synonyms."]}
    sentence = "A group of synonyms needs at least two different words."
    return {
        str(place): [sentence]
        for place, group in enumerate(groups)
        if len({word.strip() for word in group if word.strip()}) < 2
    }
