"""How the site describes its parts on the pages that list them."""

from dataclasses import dataclass

from backend.demo_site.markup import Markup, fill

_PART = '<div><dt><a href="{path}">{title}</a></dt><dd>{sentence}</dd></div>\n'


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the site and what it is good for."""

    path: str
    title: str
    sentence: str


def part_list(parts: tuple[Part, ...]) -> list[Markup]:
    """The parts as entries of a definition list."""
    return [fill(_PART, path=part.path, title=part.title, sentence=part.sentence) for part in parts]
