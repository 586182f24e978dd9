"""What a login types and the values of cookies leave the crawler under names of their own."""

from typing import Any

from backend.apps.crawlers.logins import take_out_cookies, take_out_typed


def typing(text: str) -> dict[str, Any]:
    return {"type": "type", "selector": "//input", "text": text}


def test_typed_texts_become_secrets_named_by_their_place() -> None:
    login, secrets = take_out_typed({"actions": [typing("ada"), typing("hunter2")]}, of="Shop")
    assert [action["text"] for action in login["actions"]] == ["${login Shop 1}", "${login Shop 2}"]
    assert secrets == {"login Shop 1": "ada", "login Shop 2": "hunter2"}


def test_a_step_that_was_moved_keeps_its_secret_when_another_takes_its_place() -> None:
    login, secrets = take_out_typed({"actions": [typing("${login Shop 2}"), typing("new")]}, of="Shop")
    assert [action["text"] for action in login["actions"]] == ["${login Shop 2}", "${login Shop 2-2}"]
    assert secrets == {"login Shop 2-2": "new"}


def test_steps_of_a_crawler_with_a_long_name_have_different_secrets() -> None:
    login, secrets = take_out_typed({"actions": [typing("ada"), typing("hunter2")]}, of="x" * 200)
    assert sorted(secrets.values()) == ["ada", "hunter2"]
    assert all(len(name) <= 100 for name in secrets)
    assert [secrets[action["text"][2:-1]] for action in login["actions"]] == ["ada", "hunter2"]


def test_cookies_of_one_name_on_two_paths_have_different_secrets() -> None:
    cookie = {"name": "sid", "domain": "a.example"}
    rows, secrets = take_out_cookies([{**cookie, "value": "1"}, {**cookie, "value": "2", "path": "/shop"}])
    assert secrets == {"cookie a.example sid": "1", "cookie a.example sid-shop": "2"}
    assert [row["value"] for row in rows] == ["${cookie a.example sid}", "${cookie a.example sid-shop}"]
