"use strict";
const banner = document.querySelector("#consent");

async function showContent() {
  banner.remove();
  const { items } = await loadItems(100, 24);
  showItems(items, document.querySelector("#items"));
  setTimeout(showNewsletter, 300);
}

function showNewsletter() {
  const overlay = document.querySelector("#newsletter").content.cloneNode(true).firstElementChild;
  overlay.querySelector("button.close").addEventListener("click", () => overlay.remove());
  document.body.append(overlay);
}

function decide(answer) {
  document.cookie = "consent=" + answer + "; path=/dynamic/";
  showContent();
}

if (document.cookie.includes("consent=")) {
  showContent();
} else {
  banner.hidden = false;
  banner.querySelector(".accept").addEventListener("click", () => decide("all"));
  banner.querySelector(".reject").addEventListener("click", () => decide("none"));
}
