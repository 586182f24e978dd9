"use strict";
const panels = document.querySelector("#panels");

async function choose(tab) {
  for (const other of document.querySelectorAll("[role=tab]")) other.setAttribute("aria-selected", other === tab);
  for (const panel of panels.children) panel.hidden = true;
  const known = panels.querySelector("#panel-" + tab.dataset.name);
  if (known) {
    known.hidden = false;
    return;
  }
  const { title, text } = await load("/dynamic/api/tab/" + tab.dataset.name);
  const panel = element("section", "panel");
  panel.id = "panel-" + tab.dataset.name;
  panel.append(element("h2", "title", title), element("p", "text", text));
  panels.append(panel);
}

for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => choose(tab));
choose(document.querySelector("[role=tab]"));
