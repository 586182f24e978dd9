// Shared by the dynamic pages: fetch data, build elements. Text is only ever set as text.
"use strict";

async function load(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + " answered " + answer.status);
  return answer.json();
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function itemCard(item) {
  const card = element("li", "item");
  const name = element("a", "name", item.name);
  name.href = item.path;
  card.append(element("span", "price", item.price), name, element("span", "brand", item.brand));
  return card;
}

function showItems(items, list) {
  list.append(...items.map(itemCard));
}

function loadItems(from, count) {
  return load("/dynamic/api/items?from=" + from + "&count=" + count);
}
