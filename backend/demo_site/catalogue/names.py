"""Names of brands, people and models, invented by a seeded generator."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar

Option = TypeVar("Option")
SEED = "gleaner demo site"
BRAND_COUNT = 28
FAMILIAR_BRAND = "Samsung"  # the one name that is not invented: people misspell it, and searches must cope

_BRAND_STARTS = (
    "Vel", "Kor", "Nim", "Tar", "Lum", "Bren", "Hal", "Zen", "Quor", "Ard", "Mir", "Pell", "Sorv", "Fenn", "Dral",
    "Calv", "Evo", "Jun", "Wex", "Orb", "Tess", "Rho", "Skar", "Ulm",
)  # fmt: skip
_BRAND_ENDS = ("ora", "dix", "bra", "vik", "elo", "ent", "aris", "on", "exa", "yne", "ium", "eka", "tus", "ano", "ivo")
FIRST_NAMES = (
    "Ada", "Amir", "Anna", "Bruno", "Carla", "Chen", "Daria", "David", "Elif", "Emma", "Farid", "Felix", "Greta",
    "Hugo", "Ines", "Ivan", "Jana", "Jonas", "Kenji", "Lara", "Lena", "Liam", "Maja", "Marek", "Mina", "Nadia",
    "Nils", "Noor", "Olga", "Oscar", "Paula", "Priya", "Rafael", "Rosa", "Samir", "Sofia", "Tomas", "Uma", "Yara",
)  # fmt: skip
LAST_NAMES = (
    "Abel", "Baumann", "Castillo", "Dahl", "Eriksen", "Fischer", "Grünwald", "Haddad", "Ito", "Jansen", "Keller",
    "Lindqvist", "Moreau", "Novak", "O’Brien", "Petrov", "Quist", "Rossi", "Sánchez", "Tanaka", "Ueda", "Vogel",
    "Weiß", "Yilmaz", "Zimmer",
)  # fmt: skip


def seeded(purpose: str) -> Random:
    """A generator of its own for each purpose, so that adding to one part changes no other."""
    return Random(f"{SEED}: {purpose}")


class Draws:
    """Several choices out of one large random number: much cheaper than asking the generator for each."""

    __slots__ = ("_left",)

    def __init__(self, random: Random) -> None:
        self._left = random.getrandbits(128)

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        self._left, found = divmod(self._left, limit)
        return found

    def choice(self, options: Sequence[Option]) -> Option:
        """One of the options."""
        return options[self.below(len(options))]

    def two_of(self, options: Sequence[Option]) -> tuple[Option, Option]:
        """Two different ones of the options."""
        first = self.below(len(options))
        second = (first + 1 + self.below(len(options) - 1)) % len(options)
        return options[first], options[second]


@cache
def invent_brands() -> tuple[str, ...]:
    """The brands of the catalogue, in an order that never changes; the familiar one is the first."""
    random = seeded("brands")
    brands = [FAMILIAR_BRAND]
    while len(brands) < BRAND_COUNT:
        name = random.choice(_BRAND_STARTS) + random.choice(_BRAND_ENDS)
        if not any(name[:4] == known[:4] for known in brands):
            brands.append(name)
    return tuple(brands)


def person(random: Random | Draws) -> str:
    """A first and a last name."""
    return f"{random.choice(FIRST_NAMES)} {random.choice(LAST_NAMES)}"


def slugify(text: str) -> str:
    """The text as lower-case ASCII words joined by hyphens, as shops write it into their addresses."""
    plain = text.lower().translate(_TRANSLITERATION)
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in plain).split()
    return "-".join(words)


_TRANSLITERATION = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "á": "a", "é": "e", "’": ""})
