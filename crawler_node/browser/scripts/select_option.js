// Choose an option of a select box by its text or its value, as a person would; false when there is none like that.
const [path, wanted] = arguments;
const box = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
const options = [...(box?.options ?? [])];
const found = options.find((option) => option.label.trim() === wanted.trim())
  ?? options.find((option) => option.value === wanted);
if (!found) return false;
box.value = found.value;
found.selected = true;
box.dispatchEvent(new Event("input", { bubbles: true }));
box.dispatchEvent(new Event("change", { bubbles: true }));
return true;
