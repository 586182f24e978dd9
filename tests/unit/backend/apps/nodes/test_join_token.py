"""The one word that a new machine is given."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from backend.apps.nodes.join_token import JoinToken, at_host, is_loopback, with_login

TOKEN = JoinToken("n1", "secret", "postgres://n1:pw@10.0.0.1:5432/gleaner", "redis://:pw@10.0.0.1:6379/0", "key1,key2")


def test_it_comes_back_as_it_was() -> None:
    word = TOKEN.encode()
    assert JoinToken.decode(word) == TOKEN
    assert word.isascii()
    assert " " not in word


@pytest.mark.parametrize("text", ["", "gleaner1.", "gleaner1.e30", "x" * 40, TOKEN.encode()[:-7], "gleaner1.é"])
def test_half_a_word_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="Copy the whole line"):
        JoinToken.decode(text)


def test_addresses_for_another_machine() -> None:
    own = "postgres://gleaner:pw@127.0.0.1:5432/gleaner?sslmode=require"
    other = with_login(own, user="node/1", password="p@ss", host="10.0.0.1")
    assert other == "postgres://node%2F1:p%40ss@10.0.0.1:5432/gleaner?sslmode=require"
    assert with_login(own, user="a", password="b", host="db:6543") == "postgres://a:b@db:6543/gleaner?sslmode=require"
    assert at_host("redis://:pw@127.0.0.1:6379/0", "10.0.0.1") == "redis://:pw@10.0.0.1:6379/0"
    assert at_host("redis://:pw@127.0.0.1:7000/0", "[fd00::1]") == "redis://:pw@[fd00::1]:7000/0"
    assert with_login(own, user="a", password="b", host="[fd00::1]").startswith("postgres://a:b@[fd00::1]:5432/")
    assert with_login(own, user="a", password="b", host="[fd00::1]:6543").startswith("postgres://a:b@[fd00::1]:6543/")
    assert at_host("redis://127.0.0.1/0", None) == "redis://127.0.0.1/0"
    assert is_loopback(own)
    assert not is_loopback(other)
