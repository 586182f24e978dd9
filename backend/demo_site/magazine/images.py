"""Pictures of articles: hills under a sky whose colours follow from the title."""

import zlib
from itertools import pairwise

from backend.demo_site.catalogue.articles import Article
from backend.demo_site.catalogue.names import seeded
from backend.demo_site.markup import Markup, fill

_PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 420" preserveAspectRatio="xMidYMid slice">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="hsl({hue} 45% 78%)"/><stop offset="1" stop-color="hsl({warm} 80% 92%)"/>
</linearGradient></defs>
<rect width="960" height="420" fill="url(#sky)"/>
<circle cx="{sun_x}" cy="{sun_y}" r="{sun_r}" fill="hsl({warm} 92% 70%)"/>
{hills}</svg>
"""
_HILL = '<path d="{path}" fill="hsl({hue} 28% {light}%)"/>\n'


def article_picture(article: Article) -> Markup:
    """A landscape that belongs to one article."""
    random = seeded(f"picture {article.title}")
    hue = zlib.crc32(article.title.encode()) % 360
    hills = []
    for layer in range(4):
        points = [f"{x},{random.randint(150, 250) + layer * 50}" for x in range(-80, 1041, 160)]
        path = f"M-80,420 L{points[0]} C" + " ".join(_smooth(points)) + " L1040,420 Z"
        hills.append(fill(_HILL, path=path, hue=hue, light=62 - layer * 13))
    return fill(
        _PICTURE, hue=hue, warm=random.randint(18, 48), sun_x=random.randint(160, 800), sun_y=random.randint(70, 170),
        sun_r=random.randint(34, 64), hills=hills,
    )  # fmt: skip


def _smooth(points: list[str]) -> list[str]:
    """Control points halfway between neighbours, so that the line bends instead of breaking."""
    curve = []
    for left, right in pairwise(points):
        (x1, y1), (x2, y2) = left.split(","), right.split(",")
        middle = (int(x1) + int(x2)) // 2
        curve += [f"{middle},{y1}", f"{middle},{y2}", right]
    return curve
