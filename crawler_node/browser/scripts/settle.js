// Wait until the page rests, then hand over the page as it is: one string, shadow roots and frames of this origin in it,
// and the moment at which it was taken (ms since 1970).
// Arguments: how long nothing may change, the longest wait (both ms), callback. A page that never rests is taken as it is.
const [quietMs, longestMs, done] = arguments;
const began = performance.now();
let changed = began;
const watcher = new MutationObserver(() => { changed = performance.now(); });
const watched = new Set();

function watch(root) {
  if (watched.has(root)) return;
  watched.add(root);
  watcher.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

function innerDocument(frame) {
  try {
    return frame.contentDocument;
  } catch (fault) {
    return null; // another origin
  }
}

function frames(root) {
  return [...root.querySelectorAll("iframe, frame")];
}

function isLoading(root) {
  return frames(root).some((frame) => {
    const inner = innerDocument(frame);
    if (!inner) return false;
    if (inner.readyState !== "complete") return true;
    watch(inner);
    return isLoading(inner);
  });
}

function shadowHosts(root) {
  return [...root.querySelectorAll("*")].filter((element) => element.shadowRoot);
}

function copyOf(node, base) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.cloneNode(false);
  const isFrame = node.localName === "iframe" || node.localName === "frame";
  const inner = isFrame ? innerDocument(node) : null;
  if (inner) return frameCopy(node, inner, base);
  if (node.localName === "template") return node.cloneNode(true);
  const made = node.cloneNode(false);
  if (node.baseURI !== base) makeAbsolute(node, made);
  if (node.shadowRoot) for (const child of node.shadowRoot.childNodes) made.append(copyOf(child, base));
  for (const child of node.childNodes) made.append(copyOf(child, base));
  return made;
}

function frameCopy(frame, inner, base) {
  const place = document.createElement("div");
  place.dataset.frame = inner.URL;
  for (const child of inner.body ? inner.body.childNodes : []) place.append(copyOf(child, base));
  return place;
}

function makeAbsolute(node, made) {
  for (const name of ["href", "src"]) {
    if (node.hasAttribute(name) && typeof node[name] === "string") made.setAttribute(name, node[name]);
  }
}

function serialize() {
  const root = document.documentElement;
  if (!root) return "";
  const isPlain = frames(document).length === 0 && shadowHosts(document).length === 0;
  return (isPlain ? root : copyOf(root, document.baseURI)).outerHTML;
}

function step() {
  const now = performance.now();
  const isAtRest = now - changed >= quietMs && document.readyState !== "loading" && !isLoading(document);
  if (!isAtRest && now - began < longestMs) {
    setTimeout(step, Math.min(25, quietMs));
    return;
  }
  watcher.disconnect();
  const moment = Number(performance.timeOrigin + performance.now()) || 0;
  done([serialize(), moment]);
}

watch(document);
for (const host of shadowHosts(document)) watch(host.shadowRoot);
step();
