"""The way of the thesis: a navigation, `find_elements` for each field and link, a second request for the status."""

import sys
import time
import urllib.request
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from backend.demo_site.truth import DocumentKind
from tests.benchmarks._browser_contest import ITEMS, LIST, READY, SCOPES, measure, tell

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


def main(site: str, items: int, lists: int) -> None:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in FLAGS:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        driver.get(f"{site}/dynamic/")
        counts = {LIST.name: (LIST, lists), ITEMS.name: (ITEMS, items)}
        tell({name: measure(kind, count, _show(driver, site, kind)) for name, (kind, count) in counts.items()})
    finally:
        driver.quit()


def _show(driver: Any, site: str, kind: DocumentKind) -> Any:
    def show(path: str) -> int:
        driver.get(site + path)
        while not driver.find_elements(By.XPATH, READY[kind.name]):
            time.sleep(0.05)
        scopes = driver.find_elements(By.XPATH, SCOPES[kind.name]) if SCOPES[kind.name] else [driver]
        documents = [_document(scope, kind) for scope in scopes]
        for link in driver.find_elements(By.TAG_NAME, "a"):
            link.get_attribute("href")
        with urllib.request.urlopen(site + path) as answer:
            assert answer.status == 200
            answer.read()
        return sum(all(document.values()) for document in documents)

    return show


def _document(scope: Any, kind: DocumentKind) -> dict[str, str]:
    found = {}
    for name, rule in kind.rules.items():
        for element in scope.find_elements(By.XPATH, rule.selector):
            found[name] = element.get_attribute(rule.attribute) if rule.attribute else element.text
    return found


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
