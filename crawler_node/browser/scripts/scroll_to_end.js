// Scroll to the end until nothing new has come for a while, or so many times. Calls back with how often it scrolled and
// why it stopped: "end", "limit" (there was more), or "time".
const [patienceMs, limit, longestMs, done] = arguments;
const began = performance.now();
let times = 0;
let tried = performance.now();
let size = -1;

function panes() {
  const whole = document.scrollingElement ?? document.documentElement;
  const others = [...document.querySelectorAll("main, section, div, ul, ol")].filter(
    (element) => element.scrollHeight > element.clientHeight + 5 && /auto|scroll/.test(getComputedStyle(element).overflowY),
  );
  return [whole, ...others];
}

function sizeNow() {
  return document.getElementsByTagName("*").length + panes().reduce((sum, pane) => sum + pane.scrollHeight, 0);
}

function step() {
  const now = performance.now();
  const found = sizeNow();
  if (found !== size) {
    if (times >= limit) {
      done([times, "limit"]);
      return;
    }
    size = found;
    tried = now;
    times += 1;
    for (const pane of panes()) pane.scrollTo(0, pane.scrollHeight);
    dispatchEvent(new Event("scroll"));
  }
  if (now - tried >= patienceMs) done([times, "end"]);
  else if (now - began >= longestMs) done([times, "time"]);
  else setTimeout(step, 30);
}

step();
