"use strict";
for (const button of document.querySelectorAll("button.read-more")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { text } = await load("/dynamic/api/opinion/" + button.dataset.place);
    button.parentElement.querySelector(".text").textContent = text;
    button.remove();
  });
}
