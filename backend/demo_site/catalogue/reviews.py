"""What customers wrote: stars, a title and a few sentences that agree with the stars."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from backend.demo_site.catalogue.names import person

NEWEST_DAY = date(2025, 10, 31)
MAX_REVIEWS = 24


@dataclass(frozen=True, slots=True)
class Review:
    """One customer's opinion of one product."""

    author: str
    stars: int
    title: str
    text: str
    written: date
    helpful_votes: int


_TITLES = {
    5: ("Exactly what I wanted", "Superb", "Would buy it again", "Better than expected"),
    4: ("Very good with one small flaw", "Good value", "Happy so far"),
    3: ("Does the job", "Mixed feelings", "Average"),
    2: ("Disappointed", "Not for me"),
    1: ("Sent it back", "Broke after a month"),
}
_OPENINGS = (
    "I have used the {noun} every day for {weeks} weeks.",
    "Bought the {noun} to replace an old one.",
    "A friend recommended this {noun}.",
    "Arrived after {days} days, well packed.",
)
_VERDICTS = {
    5: ("It {praise}.", "I can find nothing to complain about.", "My whole family wants one now."),
    4: ("It {praise}, but the manual is thin.", "Only the packaging could be smaller.", "One star less for the price."),
    3: ("It works, no more and no less.", "There are better ones for less money.", "Good idea, half finished."),
    2: ("The one I had before was better.", "Support took {days} days to answer.", "It feels cheap."),
    1: ("It stopped working after {weeks} weeks.", "The description promises too much.", "I want my money back."),
}


def write_reviews(random: Random, *, noun: str, praise: str) -> tuple[Review, ...]:
    """Between none and `MAX_REVIEWS` reviews, newest first; one product in eight has none."""
    if random.random() < 0.125:
        return ()
    leaning = random.choice((3, 4, 4, 5, 5, 5))
    count = random.randint(1, MAX_REVIEWS)
    reviews = [_write_review(random, noun=noun, praise=praise, leaning=leaning) for _ in range(count)]
    return tuple(sorted(reviews, key=lambda review: review.written, reverse=True))


def _write_review(random: Random, *, noun: str, praise: str, leaning: int) -> Review:
    stars = max(1, min(5, leaning + random.choice((-2, -1, 0, 0, 0, 1))))
    words = {"noun": noun, "praise": praise, "weeks": random.randint(2, 9), "days": random.randint(2, 9)}
    verdicts = random.sample(_VERDICTS[stars], 2)
    sentences = [random.choice(_OPENINGS), *verdicts]
    return Review(
        author=person(random),
        stars=stars,
        title=random.choice(_TITLES[stars]),
        text=" ".join(sentence.format(**words) for sentence in sentences),
        written=NEWEST_DAY - timedelta(days=random.randint(0, 700)),
        helpful_votes=random.choice((0, 0, 1, 2, 3, 5, 8, 13, 21, 34)),
    )
