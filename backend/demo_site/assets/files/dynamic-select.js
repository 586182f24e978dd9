"use strict";
const choice = document.querySelector("#category");
choice.addEventListener("change", async () => {
  const { items } = await load("/dynamic/api/category/" + choice.value);
  document.querySelector("#items").replaceChildren(...items.map(itemCard));
});
