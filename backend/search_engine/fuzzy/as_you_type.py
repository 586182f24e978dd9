"""What to offer while a query is being typed: whole names first, then completions of the word under the cursor."""

from backend.search_engine.fuzzy.suggester import Suggester, Suggestion


def suggest_query(
    text: str, *, names: Suggester | None, words: Suggester | None, limit: int = 10, is_safe: bool = False
) -> list[Suggestion]:
    """Names and titles that fit the whole text, then the text with its last word completed from the vocabulary."""
    offered = names.suggest(text, limit=limit, is_safe=is_safe) if names else []
    if words and len(offered) < limit and text and not text[-1].isspace():
        taken = {suggestion.name.casefold() for suggestion in offered}
        completed = _complete_last_word(text, words, limit, is_safe=is_safe)
        offered += [suggestion for suggestion in completed if suggestion.name.casefold() not in taken]
    return offered[:limit]


def _complete_last_word(text: str, words: Suggester, limit: int, *, is_safe: bool) -> list[Suggestion]:
    last = text.rsplit(maxsplit=1)[-1]
    head = text[: len(text) - len(last)]
    found = words.suggest(last, limit=limit, is_safe=is_safe)
    return [suggestion._replace(name=head + suggestion.name) for suggestion in found]
