// Scroll by a little less than a screen so many times. What is on the screen is painted before it is scrolled away:
// pages load pictures when they come into view, and nothing is in view before it is painted. Calls back with how often
// it scrolled and why it stopped: "end" or "time".
const [, times, direction, longestMs, done] = arguments;
const began = performance.now();
const pane = biggestPane();
let left = times;

function biggestPane() {
  const whole = document.scrollingElement ?? document.documentElement;
  if (whole.scrollHeight > innerHeight + 5) return whole;
  const panes = [...document.querySelectorAll("*")].filter(
    (element) => element.scrollHeight > element.clientHeight + 5 && /auto|scroll/.test(getComputedStyle(element).overflowY),
  );
  return panes.sort((one, other) => other.clientHeight - one.clientHeight)[0] ?? whole;
}

function step() {
  const isOver = performance.now() - began >= longestMs;
  if (left === 0 || isOver) {
    done([times - left, left === 0 ? "end" : "time"]);
    return;
  }
  left -= 1;
  pane.scrollBy(0, (direction === "up" ? -0.85 : 0.85) * innerHeight);
  setTimeout(() => afterPaint(step), 120);
}

function afterPaint(goOn) {
  let hasGone = false;
  const once = () => {
    if (!hasGone) goOn();
    hasGone = true;
  };
  requestAnimationFrame(() => requestAnimationFrame(once));
  setTimeout(once, 1000); // a window that is not painted has no frames
}

afterPaint(step);
