"use strict";
let loaded = 0;
customElements.define("demo-item", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    loadItems(Number(this.dataset.place), 1).then(({ items }) => {
      const list = element("ul", "items");
      showItems(items, list);
      root.append(list);
      loaded += 1;
      document.querySelector("#state").textContent = loaded + " loaded";
    });
  }
});
customElements.define("demo-shelf", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    for (const place of this.dataset.places.split(" ")) {
      const item = document.createElement("demo-item");
      item.dataset.place = place;
      root.append(item);
    }
  }
});
