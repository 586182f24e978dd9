"use strict";
loadItems(0, 60).then(({ items }) => {
  showItems(items, document.querySelector("#items"));
  document.querySelector("#state").remove();
});
