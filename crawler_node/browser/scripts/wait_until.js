// Call back true as soon as something matches ("present"), something that can be seen does ("shown"), nothing that can
// be seen does ("gone"), or a text is shown ("text"). A path that counts, compares or reads is taken by its truth.
const [what, wanted, longestMs, done] = arguments;
const began = performance.now();

function isShown(node) {
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.ownerElement ?? node.parentElement;
  return element?.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
}

function finds(isMeant) {
  const found = document.evaluate(wanted, document, null, XPathResult.ANY_TYPE, null);
  switch (found.resultType) {
    case XPathResult.BOOLEAN_TYPE: return found.booleanValue;
    case XPathResult.NUMBER_TYPE: return Boolean(found.numberValue);
    case XPathResult.STRING_TYPE: return Boolean(found.stringValue);
  }
  for (let node = found.iterateNext(); node; node = found.iterateNext()) if (isMeant(node)) return true;
  return false;
}

function isTrue() {
  switch (what) {
    case "text": return (document.body?.innerText ?? "").includes(wanted);
    case "shown": return finds(isShown);
    case "gone": return !finds(isShown);
    default: return finds(() => true);
  }
}

function step() {
  if (isTrue()) done(true);
  else if (performance.now() - began >= longestMs) done(false);
  else setTimeout(step, 30);
}

step();
