"""Words that mean the same, applied to queries: changing them needs no rebuild."""

from collections.abc import Callable, Iterable, Sequence

Terms = tuple[str, ...]
Groups = Sequence[Sequence[str]]


def parse_synonyms(lines: Iterable[str]) -> list[list[str]]:
    """One group per line, members separated by commas or `=`; empty lines and `#` comments are skipped."""
    groups = []
    for line in lines:
        bare = line.split("#", 1)[0].replace("=", ",")
        members = [member.strip() for member in bare.split(",") if member.strip()]
        if len(members) > 1:
            groups.append(members)
    return groups


class Synonyms:
    """Groups of equal words or phrases, as terms; any member of a group finds documents with any other."""

    def __init__(self, groups: Groups, terms: Callable[[str], Sequence[str]]) -> None:
        self._others: dict[Terms, dict[Terms, None]] = {}
        for group in groups:
            members = dict.fromkeys(tuple(terms(member)) for member in group)
            members.pop((), None)
            for member in members:
                self._others.setdefault(member, {}).update(members)
        self.longest = max((len(member) for member in self._others), default=0)

    def of(self, terms: Sequence[str]) -> list[Terms]:
        """The other members of the groups that these terms, as a whole, belong to."""
        wanted = tuple(terms)
        return [other for other in self._others.get(wanted, ()) if other != wanted]
