"use strict";
for (const card of document.querySelectorAll(".item")) {
  card.addEventListener("mouseenter", async () => {
    if (card.querySelector(".price")) return;
    const price = element("span", "price");
    card.prepend(price);
    price.textContent = (await load("/dynamic/api/item/" + card.dataset.number)).price;
  });
}
