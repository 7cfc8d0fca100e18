"use strict";
// Titles of drawings become tips that follow the pointer; without scripts they stay titles.
const tip = document.getElementById("tip");
for (const title of document.querySelectorAll("figure svg title")) {
  const owner = title.parentNode;
  owner.dataset.tip = title.textContent;
  title.remove();
}
document.addEventListener("pointermove", (event) => {
  const owner = event.target.closest?.("[data-tip]");
  tip.classList.toggle("on", Boolean(owner));
  if (!owner) return;
  if (tip.textContent !== owner.dataset.tip) tip.textContent = owner.dataset.tip;
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - width - 8);
  const below = event.clientY + 18 + height < innerHeight;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${below ? event.clientY + 18 : event.clientY - height - 12}px`;
});
document.addEventListener("pointerleave", () => tip.classList.remove("on"));

// A click on a heading sorts by that column, another one turns it round.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    head.querySelector("button")?.addEventListener("click", () => {
      const words = head.classList.contains("words");
      const down = head.ariaSort ? head.ariaSort === "ascending" : !words;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const lang = document.documentElement.lang;
      const order = (a, b) =>
        words ? value(a).localeCompare(value(b), lang) : Number(value(a)) - Number(value(b));
      const rows = [...table.tBodies[0].rows].sort((a, b) => (down ? order(b, a) : order(a, b)));
      table.tBodies[0].append(...rows);
    });
  });
}

// The theme is that of the system until the reader chooses the other one.
document.getElementById("theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
