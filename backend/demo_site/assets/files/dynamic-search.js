"use strict";
const box = document.querySelector("#query");
box.addEventListener("keydown", async (press) => {
  if (press.key !== "Enter") return;
  press.preventDefault();
  const { items } = await load("/dynamic/api/search?q=" + encodeURIComponent(box.value));
  document.querySelector("#items").replaceChildren(...items.map(itemCard));
  document.querySelector("#state").textContent = items.length + " found";
});
