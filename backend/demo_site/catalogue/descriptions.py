"""Paragraphs that describe a product from its specifications."""

from random import Random

from backend.demo_site.catalogue.categories import Category

_OPENINGS = (
    "The {name} is {a_noun} for people who want one thing to work well for years.",
    "With the {name} you get {a_noun} that does not ask for attention.",
    "Small changes turn the good into the great, and the {name} has many of them.",
    "We tested the {name} for a month and did not want to give it back.",
)
_SPEC_SENTENCES = (
    "{label} is {value}, which is plenty for most of us.",
    "Its {label_lower} of {value} sets it apart from last year’s model.",
    "The maker states {value} for {label_lower}; our own measurements agree.",
    "Look at the {label_lower}: {value}.",
)
_CLOSINGS = (
    "It comes with a warranty of {years} years and without plastic in the box.",
    "Spare parts are promised for {years} years.",
    "If it does not suit you, send it back within {days} days.",
    "Delivery takes {days} days at most.",
)


def describe(
    random: Random, *, name: str, category: Category, specs: tuple[tuple[str, str], ...], praise: str
) -> tuple[str, ...]:
    """Three paragraphs: what it is, what it is made of, what comes with it."""
    article = with_article(category.noun)
    a_noun = article[0].lower() + article[1:]
    opening = random.choice(_OPENINGS).format(name=name, noun=category.noun, a_noun=a_noun)
    details = [_spec_sentence(random, label, value) for label, value in random.sample(specs[1:], 3)]
    closings = random.sample(_CLOSINGS, 2)
    words = {"years": random.randint(2, 7), "days": random.choice((14, 30, 60))}
    return (f"{opening} It {praise}.", " ".join(details), " ".join(closing.format(**words) for closing in closings))


def _spec_sentence(random: Random, label: str, value: str) -> str:
    return random.choice(_SPEC_SENTENCES).format(label=label, label_lower=label.lower(), value=value)


def with_article(noun: str) -> str:
    """The noun at the beginning of a sentence: `A phone`, `An SSD`, `Headphones`."""
    if noun.endswith("s"):
        return noun.capitalize()
    return f"An {noun}" if noun == "SSD" else f"A {noun}"
