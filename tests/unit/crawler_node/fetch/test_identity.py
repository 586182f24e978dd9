"""How we introduce ourselves, and by which name robots.txt files know us then."""

import pytest

from crawler_node.fetch.identity import default_user_agent, product_token


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [
        (default_user_agent(version="0.1", contact="https://us.example/crawler"), "Gleaner"),
        ("AcmeBot/1.0 (+https://acme.example)", "AcmeBot"),
        ("Mozilla/5.0 (compatible; Acme-Bot/1.0; +https://acme.example)", "Acme-Bot"),
        ("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; AcmeBot/2.1) Chrome/140 Safari", "AcmeBot"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari", "Gleaner"),
        ("", "Gleaner"),
    ],
)
def test_the_name_that_robots_txt_files_know_us_by(user_agent: str, token: str) -> None:
    assert product_token(user_agent) == token
