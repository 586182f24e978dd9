// Hide what fields hold that nobody may read, then call back when the page has painted what it shows now.
// Arguments: XPaths of the fields, the longest wait (ms), callback.
const [hidden, longestMs, done] = arguments;
const began = performance.now();

function fieldsAt(xpath) {
  const found = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: found.snapshotLength }, (_, place) => found.snapshotItem(place));
}

for (const field of hidden.flatMap(fieldsAt)) field.style?.setProperty("-webkit-text-security", "disc", "important");

function step() {
  const isReady = document.readyState === "complete";
  if (!isReady && performance.now() - began < longestMs) setTimeout(step, 30);
  else requestAnimationFrame(() => requestAnimationFrame(done));
}

setTimeout(done, longestMs); // a window that is not painted has no frames
step();
