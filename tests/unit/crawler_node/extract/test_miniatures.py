"""The difficulties met on real sites, in miniature: each page is ours, each trap is theirs."""

import json
from pathlib import Path

import pytest

from crawler_node.extract.compiler import compile_template
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.spec import parse_template

PROJECTS = Path(__file__).parents[3] / "fixtures" / "projects"

CAMERA = """\ufeff<base href="http://shop.test/details.asp?item=1"/>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>x</title></head><body>
<h1 class="seo" style="margin:0">Acme Zoom 5 Point & Shoot Camera - Black</h1>
<div style="display:none"><span id="details_vendor">Acme</span></div>
<table><tr><td>Our Price:</td><td class="detailvalueprice">
   <span class="details_ourprice">$1,302.03</span></td></tr></table>
</body>
</html>
<script type="text/javascript">var after = "</html>";</script>
<table><tr><td class="leftValue">Manufacturer:</td><td class="specvalue">Acme</td></tr>
<tr><td>Product Name:</td><td class="specvalue">Zoom 5 Compact</td></tr></table>"""

PLAYER = """<html><body><h1 id="firstHeading">Ann Example (basketball)</h1>
<table class="infobox vcard"><caption class="fn">Ann Example<br/><small>Άννα</small></caption>
<tr><th colspan="2">%s<a href="/wiki/Team" title="Team"><span style="color:#FFF">Example Team</span></a></th></tr>
<tr><td colspan="2"><a href="/wiki/Guard">Guard</a></td></tr>
<tr><th colspan="2">Personal information</th></tr>
<tr><th><span style="white-space:nowrap;">Listed height</span></th><td>6&#160;ft&#160;5&#160;in (1.96 m)</td></tr>
<tr><th><span>Listed weight</span></th><td>235&#160;lb (107 kg)<sup><a href="#a">[a]</a></sup></td></tr>
</table></body></html>"""

JOB = """<html><head><!--<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1" />-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /></head><body>
<dl><dt>Company:</dt><dd><a href="/c">Müller & Söhne</a></dd></dl>
<dl><dt>Title:</dt><dd>Engineer, Storage & Virtualization</dd></dl>
<dl><dt>Date:</dt><dd>12-6-2010</dd></dl>
<dl><dt>Location:</dt><dd>San Francisco, CA</dd></dl></body></html>"""

BOOK = """<html><body><h1><span property="dc:title">The Key</span><span class="author">By (artist)
<span class="linkSurround"><a property="dc:creator" href="/a">Some Artist</a></span>, By (author)
<span class="linkSurround"><a property="dc:creator" href="/b">First Author</a></span>, By (author)
<span class="linkSurround"><a property="dc:creator" href="/c">Second Author</a></span></span></h1>
<ul><li><strong>Publisher:</strong>
<span class='linkSurround'><a property='dc:publisher' href='/p?q=St. Martin's'>St. Martin&#039;s Griffin</a></span></li>
<li><strong>Published:</strong> <span property='dc:available'>30 September 2008</span></li>
<li><strong>ISBN:</strong> <span property='dc:identifier'>9780312370848</span></li></ul></body></html>"""


@pytest.mark.parametrize(
    ("site", "source", "values"),
    [
        (
            "camera-pcnation",
            CAMERA,
            {
                "model": ["Acme Zoom 5 Point & Shoot Camera - Black", "Zoom 5 Compact"],
                "price": {"amount": 1302.03, "currency": "USD"},
                "manufacturer": ["Acme"],
            },
        ),
        (
            "nbaplayer-wiki",
            PLAYER % "No. 20&#160;&#160; ",
            {
                "name": "Ann Example",
                "team": "Example Team",
                "height": "6 ft 5 in (1.96 m)",
                "weight": "235 lb (107 kg)",
            },
        ),
        (
            "nbaplayer-wiki",
            PLAYER % "",
            {
                "name": "Ann Example",
                "team": "Example Team",
                "height": "6 ft 5 in (1.96 m)",
                "weight": "235 lb (107 kg)",
            },
        ),
        (
            "job-dice",
            JOB,
            {
                "title": "Engineer, Storage & Virtualization",
                "company": "Müller & Söhne",
                "location": "San Francisco, CA",
                "date_posted": "2010-12-06",
            },
        ),
        (
            "book-bookdepository",
            BOOK,
            {
                "title": "The Key",
                "author": ["First Author", "Second Author"],
                "isbn_13": "9780312370848",
                "publisher": "St. Martin's Griffin",
                "publication_date": "2008-09-30",
            },
        ),
    ],
)
def test_every_value_of_a_page_like_theirs(site, source, values):
    project = json.loads((PROJECTS / f"{site}.json").read_text(encoding="utf-8"))
    template = compile_template(parse_template(project["templates"][0]))
    found = template.extract(parse_page(source.encode(), url="http://s.test/"))
    assert [dict(document.values) for document in found.documents] == [values]
