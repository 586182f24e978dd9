"use strict";
const watcher = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    target.src = target.dataset.src;
    target.removeAttribute("data-src");
    watcher.unobserve(target);
  }
}, { rootMargin: "300px" });
for (const picture of document.querySelectorAll("img[data-src]")) watcher.observe(picture);
