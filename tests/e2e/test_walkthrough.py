"""A person's first hour: sign in, make a project, a template, a crawler; export, delete, import again."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Gleaner

pytestmark = pytest.mark.browser


def sign_in(page: Page, gleaner: Gleaner) -> None:
    page.goto("/")
    page.get_by_label("User name").fill(gleaner.username)
    page.get_by_label("Password", exact=True).fill(gleaner.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()


def test_a_wrong_password_is_told_in_a_sentence(page: Page, gleaner: Gleaner) -> None:
    page.goto("/")
    page.get_by_label("User name").fill("admin")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("The user name or the password is not right.")).to_be_visible()


def test_from_an_empty_start_to_a_project_file_and_back(page: Page, gleaner: Gleaner, tmp_path: Path) -> None:
    sign_in(page, gleaner)
    _make_project(page)
    _make_template(page)
    _make_crawler(page)
    file = _export(page, tmp_path)
    exported = json.loads(file.read_text(encoding="utf-8"))
    assert [row["name"] for row in exported["templates"][0]["inspectors"]] == ["title", "price"]
    assert exported["crawlers"][0]["seeds"] == ["https://shop.example/"]
    _delete_project(page)
    _import(page, file)
    assert json.loads(_export(page, tmp_path).read_text(encoding="utf-8")) == exported


def test_a_mistake_is_shown_at_its_field(page: Page, gleaner: Gleaner) -> None:
    sign_in(page, gleaner)
    page.get_by_role("button", name="New project").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Mistakes")
    dialog.get_by_role("button", name="Create project").click()
    page.get_by_role("link", name="Templates", exact=True).click()
    page.get_by_role("link", name="New template").first.click()
    page.get_by_role("textbox", name="Name", exact=True).first.fill("Broken")
    page.get_by_label("Item scope").fill("//li[")
    page.get_by_role("button", name="Create template").click()
    expect(page.get_by_text("at character").first).to_be_visible()


def _make_project(page: Page) -> None:
    page.get_by_role("button", name="New project").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Shops")
    dialog.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Shops")).to_be_visible()


def _make_template(page: Page) -> None:
    page.get_by_role("link", name="Templates", exact=True).click()
    page.get_by_role("link", name="New template").first.click()
    page.get_by_role("textbox", name="Name", exact=True).first.fill("Product")
    inspectors = page.get_by_role("list", name="Inspectors").get_by_role("listitem")
    for number, (name, selector) in enumerate([("title", "//h1"), ("price", "//*[@class='price']")]):
        if number:  # a new template begins with one inspector
            page.get_by_role("button", name="Add inspector").click()
        inspectors.nth(number).get_by_role("textbox", name="Name", exact=True).fill(name)
        inspectors.nth(number).get_by_role("textbox", name="Selector", exact=True).fill(selector)
    page.get_by_role("button", name="Create template").click()
    expect(page.get_by_role("heading", name="Product")).to_be_visible()


def _make_crawler(page: Page) -> None:
    page.get_by_role("link", name="Crawlers", exact=True).click()
    page.get_by_role("link", name="New crawler").first.click()
    page.get_by_role("textbox", name="Name", exact=True).first.fill("Shop")
    page.get_by_label("Template").first.click()
    page.get_by_role("option", name="Product").click()
    page.get_by_label("Seeds").fill("https://shop.example/")
    page.get_by_role("button", name="Create crawler").click()
    expect(page.get_by_role("heading", name="Shop", exact=True)).to_be_visible()


def _export(page: Page, folder: Path) -> Path:
    page.get_by_role("link", name="Overview").click()
    with page.expect_download() as download:
        page.get_by_text("Export").first.click()
    path = folder / "exported.gleaner.json"
    download.value.save_as(path)
    return path


def _delete_project(page: Page) -> None:
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Delete project").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Shops")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    expect(page.get_by_role("link", name="Shops", exact=True)).to_have_count(0)


def _import(page: Page, file: Path) -> None:
    page.get_by_role("button", name="Import").first.click()
    page.locator("input[type=file]").set_input_files(file)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Product").first).to_be_visible()
    dialog.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Shops")).to_be_visible()
