"""Blocks of text and markup that fill the throughput pages: made once, then only joined."""

from functools import cache
from random import Random

from backend.demo_site.catalogue.names import seeded
from backend.demo_site.catalogue.reviews import Review, write_reviews
from backend.demo_site.catalogue.stories import TOPICS
from backend.demo_site.markup import Markup, fill

BLOCK_COUNT = 64
BLOCK_BYTES = 8_600

_BLOCK = """<section class="block"><h2>{title}</h2>
<p>{text}</p>
<ul class="opinions">
{reviews}</ul></section>
"""
_REVIEW = """<li class="opinion"><b class="who">{author}</b> <span class="stars">{stars}</span>
<time datetime="{day}">{day}</time><p>{text}</p><small>{votes} found this helpful</small></li>
"""


@cache
def filler_blocks() -> tuple[bytes, ...]:
    """`BLOCK_COUNT` different blocks of about `BLOCK_BYTES` bytes."""
    return tuple(_block(seeded(f"filler {number}"), number) for number in range(BLOCK_COUNT))


def _block(random: Random, number: int) -> bytes:
    topic = TOPICS[number % len(TOPICS)]
    reviews: list[Markup] = []
    while sum(map(len, reviews)) < BLOCK_BYTES - 500:
        written = write_reviews(random, noun=topic.subjects[0], praise="keeps going")
        reviews += [_opinion(review, random.choice(topic.facts)) for review in written]
    text = " ".join(random.sample(topic.facts, 3))
    block = fill(_BLOCK, title=f"{topic.title} {number}", text=text, reviews=_cut(reviews, BLOCK_BYTES - 500))
    return block.encode()


def _cut(parts: list[Markup], limit: int) -> list[Markup]:
    """As many whole parts as fit."""
    total = 0
    for place, part in enumerate(parts):
        total += len(part)
        if total > limit:
            return parts[:place]
    return parts


def _opinion(review: Review, thought: str) -> Markup:
    return fill(
        _REVIEW,
        author=review.author,
        stars=review.stars,
        day=review.written.isoformat(),
        text=f"{review.text} {thought}",
        votes=review.helpful_votes,
    )
