// Call back true as soon as something matches ("present"), nothing does ("gone"), or a text is shown ("text").
const [what, wanted, longestMs, done] = arguments;
const began = performance.now();

function find() {
  return document.evaluate(wanted, document, null, XPathResult.ANY_UNORDERED_NODE_TYPE, null).singleNodeValue;
}

function isTrue() {
  if (what === "text") return (document.body?.innerText ?? "").includes(wanted);
  return what === "gone" ? !find() : Boolean(find());
}

function step() {
  if (isTrue()) done(true);
  else if (performance.now() - began >= longestMs) done(false);
  else setTimeout(step, 30);
}

step();
