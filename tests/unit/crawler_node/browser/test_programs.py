import pytest

from crawler_node.browser import find_programs
from crawler_node.errors import BrowserMissingError


def test_a_machine_without_a_browser_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(BrowserMissingError) as caught:
        find_programs()
    assert str(caught.value) == (
        "A browser takes chromium and chromium-driver, which this machine does not have. "
        "Type: apt-get install chromium chromium-driver chromium-headless-shell, or choose the lane “http”."
    )
