"use strict";
const list = document.querySelector("#items");
const end = document.querySelector("#end");
let busy = false;

function isEndNear() {
  return end.getBoundingClientRect().top < innerHeight + 200;
}

async function loadWhileEndIsNear() {
  if (busy) return;
  busy = true;
  while (isEndNear()) {
    const { items, total } = await loadItems(list.children.length, 20);
    showItems(items, list);
    if (list.children.length >= total) {
      end.textContent = "That was all.";
      return; // stays busy: nothing is left to load
    }
  }
  busy = false;
}

addEventListener("scroll", loadWhileEndIsNear);
addEventListener("resize", loadWhileEndIsNear);
loadWhileEndIsNear();
