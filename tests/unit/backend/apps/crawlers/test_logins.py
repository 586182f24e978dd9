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
    rows, secrets = take_out_cookies([{**cookie, "value": "1"}, {**cookie, "value": "2", "path": "/shop"}], of="Shop")
    assert secrets == {"cookie Shop a.example sid": "1", "cookie Shop a.example sid-shop": "2"}
    assert [row["value"] for row in rows] == ["${cookie Shop a.example sid}", "${cookie Shop a.example sid-shop}"]


def test_a_name_that_another_crawler_uses_is_left_to_it() -> None:
    cookie, login = {"name": "sid", "domain": "a.example", "value": "1"}, {"actions": [typing("ada")]}
    taken = {"cookie Shop a.example sid", "login Shop 1"}
    assert take_out_cookies([cookie], of="Shop", taken=taken)[1] == {"cookie Shop a.example sid-2": "1"}
    assert take_out_typed(login, of="Shop", taken=taken)[1] == {"login Shop 1-2": "ada"}


def test_many_cookies_of_long_names_have_different_secrets() -> None:
    cookie = {"name": "n" * 200, "domain": "a.example"}
    cookies = [{**cookie, "value": str(number), "path": f"/{number}"} for number in range(200)]
    rows, secrets = take_out_cookies(cookies, of="x" * 200)
    assert all(len(name) <= 100 for name in secrets)
    assert [secrets[row["value"][2:-1]] for row in rows] == [cookie["value"] for cookie in cookies]
