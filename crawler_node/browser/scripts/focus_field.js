// Turn the keyboard to an element, behind what it holds already. Returns what has it then: "field"; "files" where it is
// a field for files; "nothing" where the element does not take the keyboard.
const [element] = arguments;

function focused() {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found;
}

function takesFiles(field) {
  return field?.localName === "input" && field.type === "file";
}

function goToEnd(field) {
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch (fault) {
    // a field without a caret, such as one for numbers
  }
}

if (takesFiles(element)) return "files";
const before = document.activeElement;
if (before !== element) before?.blur?.();
element.focus();
if (takesFiles(focused())) return "files";
const isPage = element === document.documentElement || element === document.body;
if (!isPage && document.activeElement !== element) return "nothing";
if (before !== element && element.value && element.setSelectionRange) goToEnd(element);
return "field";
