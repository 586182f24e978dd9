"use strict";
const list = document.querySelector("#items");
const button = document.querySelector("#more");
const LAST = 120;

async function loadNext() {
  button.disabled = true;
  const { items } = await loadItems(list.children.length, 20);
  showItems(items, list);
  button.disabled = false;
  if (list.children.length >= LAST) button.remove();
}

button.addEventListener("click", loadNext);
loadNext();
