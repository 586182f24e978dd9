"""The name that a person most likely meant."""

from collections.abc import Iterable


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name nearest to one that is not known, or None when nothing is near."""
    from rapidfuzz import process  # noqa: PLC0415  only a fault needs it: a start does not wait for it
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    found = process.extractOne(
        name, sorted(known), processor=str.casefold, scorer=OSA.normalized_similarity, score_cutoff=0.5
    )
    return found[0] if found else None
