"""What customers wrote: stars, a title and a few sentences that agree with the stars."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from backend.demo_site.catalogue.names import Draws, person

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
    draws = Draws(random)
    stars = max(1, min(5, leaning + draws.choice((-2, -1, 0, 0, 0, 1))))
    words = {"noun": noun, "praise": praise, "weeks": 2 + draws.below(8), "days": 2 + draws.below(8)}
    sentences = (draws.choice(_OPENINGS), *draws.two_of(_VERDICTS[stars]))
    return Review(
        author=person(draws),
        stars=stars,
        title=draws.choice(_TITLES[stars]),
        text=" ".join(sentences).format_map(words),
        written=NEWEST_DAY - timedelta(days=draws.below(701)),
        helpful_votes=draws.choice((0, 0, 1, 2, 3, 5, 8, 13, 21, 34)),
    )
