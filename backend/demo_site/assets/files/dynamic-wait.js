"use strict";
setTimeout(async () => {
  const { items } = await loadItems(200, 12);
  showItems(items, document.querySelector("#items"));
  document.querySelector(".spinner").remove();
  document.querySelector("#state").textContent = "All twelve are here.";
}, 1200);
