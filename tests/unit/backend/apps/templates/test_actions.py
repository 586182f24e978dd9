"""What must be true of a step before it is stored."""

from typing import Any

import pytest

from backend.apps.templates.actions import ONLY_TYPED, check_parameters


@pytest.mark.parametrize(
    ("action_type", "given", "errors"),
    [
        ("type", {"selector": "//input", "text": "${pin}"}, {}),
        ("wait_for_text", {"text": "${pin}"}, {"text": [ONLY_TYPED]}),
        ("select_option", {"selector": "//select", "option": "${pin}"}, {"option": [ONLY_TYPED]}),
        ("wait_for_text", {"text": "$5 {each}"}, {}),
    ],
)
def test_a_secret_can_only_be_typed(action_type: str, given: dict[str, Any], errors: dict[str, Any]) -> None:
    assert check_parameters(action_type, given) == errors
