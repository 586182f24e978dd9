"""The 200 articles of the magazine."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import islice
from random import Random

from backend.demo_site.catalogue.names import invent_brands, person, seeded, slugify
from backend.demo_site.catalogue.stories import TOPICS, Topic
from backend.demo_site.dates import DateStyle

ARTICLE_COUNT = 200
AUTHOR_COUNT = 12
WORDS_PER_MINUTE = 220
_NEWEST = date(2025, 10, 30)
_DATE_STYLES = (DateStyle.BRITISH, DateStyle.AMERICAN, DateStyle.ISO, DateStyle.SHORT, DateStyle.LONG)

_TITLES = (
    "Why {subject} still matter{s}",
    "The quiet return of {subject}",
    "How to {task} without {pain}",
    "Notes from {place}",
    "What {subject} taught me",
    "Learning to {task}",
    "A year with {subject}",
    "In praise of {subject}",
)
_STANDFIRSTS = (
    "It began in {place} and ended with a decision to {task}.",
    "Everybody talks about {subject}. Few have tried to {task}.",
    "Three weeks, one notebook, and the question whether one can {task} without {pain}.",
    "We went to {place} to find out what {brand} and its rivals will not say.",
)
_HEADINGS = (
    "The beginning", "What the makers say", "What we measured", "A visit to {place}", "The part nobody mentions",
    "Small numbers, large effects", "How to {task}", "What it costs", "Objections", "What remains",
)  # fmt: skip
_SENTENCES = (
    "I had read about {subject} for years before I saw the point in {place}.",
    "{author} keeps a drawer for such things, and it does not close any more.",
    "The people at {brand} were polite, quick to answer and careful not to promise anything.",
    "Whoever wants to {task} soon meets somebody who has done it since {year}.",
    "There is a way to do it without {pain}, and it takes {number} minutes.",
    "We repeated the test {number} times, on {number} different days, and wrote everything down.",
    "In {place} they laugh about the question, then they put the kettle on.",
    "Nobody needs this, somebody will say, and for {number} months that was also my opinion.",
    "It is a matter of attention more than of money.",
    "The old version from {year} does the same, only slower and with more dignity.",
    "Ask {brand} and you hear about progress; ask {author} and you hear about dust.",
    "That is the moment when {subject} stop{s} being a hobby.",
    "The difference can be measured, but it is easier to hear it in the voice of whoever has just understood.",
    "By the end of the week there were {number} pages of notes and one clear result.",
    "A neighbour who had overheard us came back with a box from {year}, and everything in it still worked.",
    "Price is a poor guide: the cheapest of the {number} we tried was returned last.",
    "What looks like a detail is, for whoever has to {task} every day, the whole thing.",
    "The instructions run to {number} pages, of which one is about {subject}.",
    "You can skip this part if you have ever been to {place}.",
    "{brand} changed the design in {year} and has never explained why.",
    "I asked {number} readers, and {author} asked {number} more; the answers could not have been more alike.",
    "It would be easy to blame {pain}, and it would be wrong.",
    "There was a time when every household knew how to {task}.",
    "None of this is new, and that is the good news.",
    "Later, on the way back from {place}, the answer seemed obvious.",
    "For the price of a cinema ticket it is worth a try.",
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its paragraphs; the first section of an article has no heading."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """One piece of the magazine."""

    number: int
    title: str
    standfirst: str
    author: str
    topic: Topic
    tags: tuple[str, ...]
    published: date
    date_style: DateStyle
    sections: tuple[Section, ...]

    @property
    def slug(self) -> str:
        return slugify(self.title)

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(section.heading for section in self.sections[1:])

    @property
    def word_count(self) -> int:
        return sum(len(text.split()) for section in self.sections for text in section.paragraphs)

    @property
    def reading_minutes(self) -> int:
        return max(1, round(self.word_count / WORDS_PER_MINUTE))


@cache
def all_articles() -> tuple[Article, ...]:
    """Every article, the newest first."""
    random = seeded("articles")
    authors = all_authors()
    day = _NEWEST
    articles = []
    for number, (title, topic, words) in zip(range(ARTICLE_COUNT), _titles(random), strict=False):
        articles.append(_write(number, title, topic, words, author=random.choice(authors), published=day))
        day -= timedelta(days=random.randint(1, 6))
    return tuple(articles)


@cache
def all_authors() -> tuple[str, ...]:
    """The people who write for the magazine."""
    random = seeded("authors")
    names: list[str] = []
    while len(names) < AUTHOR_COUNT:
        name = person(random)
        if name not in names:
            names.append(name)
    return tuple(names)


def _titles(random: Random) -> Iterator[tuple[str, Topic, dict[str, str]]]:
    """Titles without end, none twice, with the words each was made from; the topics take turns."""
    seen = set()
    while True:
        for topic in TOPICS:
            words = _choose_words(random, topic)
            title = random.choice(_TITLES).format(**words)
            if title not in seen:
                seen.add(title)
                yield title, topic, words


def _choose_words(random: Random, topic: Topic) -> dict[str, str]:
    subject = random.choice(topic.subjects)
    return {
        "subject": subject,
        "s": "" if subject.endswith("s") else "s",
        "task": random.choice(topic.tasks),
        "pain": random.choice(topic.pains),
        "place": random.choice(topic.places),
        "brand": random.choice(invent_brands()[1:]),
    }


def _write(number: int, title: str, topic: Topic, words: dict[str, str], *, author: str, published: date) -> Article:
    random = seeded(f"article {title}")
    return Article(
        number=number,
        title=title,
        standfirst=random.choice(_STANDFIRSTS).format(**words),
        author=author,
        topic=topic,
        tags=tuple(random.sample(topic.tags, random.randint(1, 3))),
        published=published,
        date_style=_DATE_STYLES[number % len(_DATE_STYLES)],
        sections=tuple(_sections(random, topic, {**words, "author": author})),
    )


def _sections(random: Random, topic: Topic, words: dict[str, str]) -> Iterator[Section]:
    headings = random.sample(_HEADINGS, random.randint(2, 5))
    sentences = _shuffled_forever(random, _SENTENCES)
    facts = _shuffled_forever(random, topic.facts)
    for heading in ("", *headings):
        paragraphs = [_paragraph(random, sentences, next(facts), words) for _ in range(random.randint(2, 4))]
        yield Section(_capitalize(heading.format(**words)), tuple(paragraphs))


def _shuffled_forever(random: Random, texts: tuple[str, ...]) -> Iterator[str]:
    """The texts in random order, again and again, so that none comes twice before all came once."""
    while True:
        yield from random.sample(texts, len(texts))


def _paragraph(random: Random, sentences: Iterator[str], fact: str, words: dict[str, str]) -> str:
    written = [
        _capitalize(sentence.format(**words, number=random.randint(3, 40), year=random.randint(1974, 2019)))
        for sentence in islice(sentences, random.randint(2, 4))
    ]
    written.insert(random.randint(0, len(written)), fact)
    return " ".join(written)


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
