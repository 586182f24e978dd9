"""Typing as people do, key by key, which can fill in texts but never hand a page a file of the machine."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.crawler_node.browser.actions.stepping import after_steps, text_of

pytestmark = pytest.mark.browser
CANARY = "canary 5f2b that no page may read"
# Whatever files a field gets, their names and texts are written into the page.
READING = """<script>
for (const field of document.querySelectorAll('input')) field.addEventListener('change', async () => {
  for (const file of field.files ?? []) out.append(file.name + ' ' + await file.text());
});
</script>"""
FILE_FIELD = "<input id=f type=file multiple>"
SHADOWED = """<my-field id=f></my-field><script>
customElements.define('my-field', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({mode: 'open', delegatesFocus: true}).innerHTML = '<input type=file>';
    const field = this.shadowRoot.firstChild;
    field.onchange = async () => out.append(field.files[0].name + ' ' + await field.files[0].text());
  }
});
</script>"""
FIELDS = {
    "files": f"<pre id=out></pre>{FILE_FIELD}{READING}",
    "folder": f"<pre id=out></pre><input id=f type=file webkitdirectory>{READING}",
    "files when focused": f"<pre id=out></pre><input id=f onfocus=\"f.type = 'file'\">{READING}",
    "files when typed into": f"<pre id=out></pre><input id=f onkeydown=\"f.type = 'file'\">{READING}",
    "label": f"<pre id=out></pre><label id=f tabindex=0>A file <input type=file></label>{READING}",
    "shadow": f"<pre id=out></pre>{SHADOWED}",
}
EVENTS = """<input id=f value=old><pre id=out></pre><script>
for (const name of ['keydown', 'input', 'keyup', 'change'])
  f.addEventListener(name, (event) => out.append(`${name} ${event.key ?? ''};`));
</script>"""


def typing(text: str, **options: Any) -> dict[str, Any]:
    return {"type": "type", "selector": "//*[@id='f']", "text": text, "timeout_seconds": 0.5, **options}


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    file = tmp_path / "canary.txt"
    file.write_text(CANARY, encoding="utf-8")
    return file


@pytest.mark.parametrize("name", FIELDS)
async def test_no_step_gives_a_page_a_file_of_the_machine(canary: Path, name: str) -> None:
    folder = canary.parent
    steps = [typing(text, optional=True) for text in (f"{canary}", f"{folder}", f"{canary}\n{folder / 'none'}")]
    steps += [typing(f"{canary}", optional=True, submit=True), {**steps[0], "type": "press_key", "key": "Enter"}]
    shown = await after_steps(FIELDS[name], [*steps, {"type": "wait", "seconds": 0.3}])
    assert len(shown.steps) == 6
    assert text_of(shown, "out") == ""


async def test_a_field_for_files_is_refused_with_a_sentence(canary: Path) -> None:
    [step] = (await after_steps(FILE_FIELD, [typing(str(canary))])).steps
    assert not step.worked
    assert step.sentence.startswith("//*[@id='f'] takes files, and a step gives no page a file of this machine.")


async def test_the_name_of_a_file_is_typed_like_any_text(canary: Path) -> None:
    shown = await after_steps(
        "<input id=f oninput='out.textContent = f.value'><pre id=out></pre>", [typing(str(canary))]
    )
    assert (text_of(shown, "out"), shown.steps[0].worked) == (str(canary), True)


async def test_keys_are_pressed_one_after_another_after_what_was_there_is_gone() -> None:
    shown = await after_steps(EVENTS, [typing("aÜ")])
    keys = "".join(f"keydown {key};input ;keyup {key};" for key in "aÜ")
    assert text_of(shown, "out") == f"change ;{keys}"


async def test_lines_are_typed_as_lines_and_other_letters_as_they_are() -> None:
    html = "<textarea id=f oninput='out.textContent = JSON.stringify(f.value)'>old</textarea><pre id=out></pre>"
    shown = await after_steps(html, [typing("one\ntwo 😀")])
    assert text_of(shown, "out") == '"one\\ntwo 😀"'


async def test_a_key_is_pressed_after_what_a_field_holds() -> None:
    html = "<input id=f value=abc oninput='out.textContent = f.value'><pre id=out></pre>"
    shown = await after_steps(html, [{"type": "press_key", "selector": "//*[@id='f']", "key": "Backspace"}])
    assert text_of(shown, "out") == "ab"


async def test_a_key_can_be_pressed_on_the_page_itself() -> None:
    html = "<pre id=out></pre><script>document.addEventListener('keydown', (event) => out.append(event.key))</script>"
    steps = [
        {"type": "press_key", "selector": f"//{name}", "key": "x", "timeout_seconds": 0.5} for name in ("body", "html")
    ]
    assert text_of(await after_steps(html, steps), "out") == "xx"
