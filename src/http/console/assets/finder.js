// The search box: what was found stands below it; up and down choose, Enter opens, Esc closes.

const input = document.getElementById("search");
const found = document.getElementById("found");

if (input && found) {
  const hits = () => [...found.querySelectorAll("[data-hit]")];
  const chosen = () => found.querySelector("[data-hit][aria-selected=true]");
  const open = (isOpen) => {
    found.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
  };
  const show = () => open(input.value.trim() !== "" && found.childElementCount > 0);
  // without a script it is a field of a form, and no list opens below it
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-autocomplete", "list"],
    ["aria-controls", found.id],
  ])
    input.setAttribute(name, value);
  open(false);
  const choose = (hit) => {
    for (const other of hits()) other.setAttribute("aria-selected", String(other === hit));
    if (hit) input.setAttribute("aria-activedescendant", hit.id);
    else input.removeAttribute("aria-activedescendant");
    hit?.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("htmx:after:swap", () => {
    show();
    choose(hits()[0]);
  });
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const all = hits();
    const at = all.indexOf(chosen());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      choose(all[(at + step + all.length) % all.length]);
    } else if (event.key === "Enter" && !found.hidden && chosen()) {
      event.preventDefault();
      chosen().click();
    } else if (event.key.toLowerCase() === "p" && event.altKey) {
      event.preventDefault();
      chosen()?.closest("li")?.querySelector("[data-pay]")?.click();
    } else if (event.key === "Escape") {
      if (found.hidden) input.blur();
      open(false);
    }
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!target.closest(".finder")) open(false);
  });
  input.addEventListener("focus", show);
}
