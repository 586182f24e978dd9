"""A page's features come from one reading of it."""

from crawler_node.extract.parsing import parse_page
from crawler_node.page_text.features import read_features
from crawler_node.page_text.head import read_head
from crawler_node.page_text.simhash import simhash

SOURCE = b"""<html lang="en"><head><meta name="description" content="About pots"></head><body><h1>Pots</h1>
<p>This is a long and friendly text about all the pots that we have in our shop and about what they cost.</p></body>"""


def test_features_of_a_page():
    page = parse_page(SOURCE, url="http://s.test/")
    features = read_features(page, read_head(page), markup_bytes=len(SOURCE))
    assert (features.title, features.headings, features.description) == ("Pots", ("Pots",), "About pots")
    assert features.language == "en"
    assert features.text.splitlines()[0] == "Pots"
    assert features.simhash == simhash(features.text)
    assert features.quality["link_share"] == 0.0
