"""What to offer while a query is being typed: whole names first, then completions of the word under the cursor."""

from backend.search_engine.fuzzy.suggester import Suggester, Suggestion


def suggest_query(text: str, *, names: Suggester | None, words: Suggester | None, limit: int = 10) -> list[Suggestion]:
    """Names and titles that fit the whole text, then the text with its last word completed from the vocabulary."""
    offered = names.suggest(text, limit=limit) if names else []
    if words and len(offered) < limit and text and not text[-1].isspace():
        taken = {suggestion.name.casefold() for suggestion in offered}
        completed = _complete_last_word(text, words, limit)
        offered += [suggestion for suggestion in completed if suggestion.name.casefold() not in taken]
    return offered[:limit]


def _complete_last_word(text: str, words: Suggester, limit: int) -> list[Suggestion]:
    last = text.rsplit(maxsplit=1)[-1]
    head = text[: len(text) - len(last)]
    found = words.suggest(last, limit=limit)
    return [suggestion._replace(name=head + suggestion.name) for suggestion in found]
