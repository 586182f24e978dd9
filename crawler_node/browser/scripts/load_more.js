// Click the first usable match until there is none left or nothing new comes. What changes in the clicked element itself
// ("Loading…") is nothing new, and the page is to be quiet for a moment before the next click. Calls back with how often
// it clicked and why it stopped: "end", "limit" (there is more to click), or "time".
const [patienceMs, limit, path, longestMs, done] = arguments;
const began = performance.now();
let times = 0;
let changed = performance.now();
let clickedAt = -Infinity;
let clicked = null;
let isNew = true;
new MutationObserver((records) => {
  if (records.every((record) => clicked?.contains(record.target))) return;
  changed = performance.now();
  isNew = true;
}).observe(document, { subtree: true, childList: true, characterData: true });

function usable() {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  for (let place = 0; place < found.snapshotLength; place++) {
    const element = found.snapshotItem(place);
    if (!element.disabled && element.getAttribute("aria-disabled") !== "true" && element.getClientRects().length > 0) {
      return element;
    }
  }
  return null;
}

function isQuiet(now) {
  return times === 0 || now - changed >= 60 || now - clickedAt >= patienceMs / 4;
}

function step() {
  const now = performance.now();
  const element = times < limit ? usable() : null;
  if (element && isNew && isQuiet(now)) {
    isNew = false;
    changed = clickedAt = now;
    clicked = element;
    times += 1;
    element.scrollIntoView({ block: "center" });
    element.click();
  } else if (now - changed >= (element || times === 0 ? patienceMs : patienceMs / 4)) {
    done([times, times >= limit && usable() ? "limit" : "end"]);
    return;
  }
  if (now - began >= longestMs) done([times, "time"]);
  else setTimeout(step, 30);
}

step();
