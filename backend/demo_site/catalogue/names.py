"""Names of brands, people and models, invented by a seeded generator."""

from functools import cache
from random import Random

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


def person(random: Random) -> str:
    """A first and a last name."""
    return f"{random.choice(FIRST_NAMES)} {random.choice(LAST_NAMES)}"


def slugify(text: str) -> str:
    """The text as lower-case ASCII words joined by hyphens, as shops write it into their addresses."""
    plain = text.lower().translate(_TRANSLITERATION)
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in plain).split()
    return "-".join(words)


_TRANSLITERATION = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "á": "a", "é": "e", "’": ""})
