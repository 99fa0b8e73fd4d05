// The drawer: opens when something was put into it, gives the focus to its first field, and back to what opened it.

const drawer = document.getElementById("drawer");

const focusFirst = () => {
  const first =
    drawer.querySelector("[autofocus]") ??
    drawer.querySelector("input:not([type=hidden]), select, textarea, .button.solid");
  first?.focus();
  if (first instanceof HTMLInputElement && first.type !== "checkbox" && first.type !== "radio")
    first.select();
};

if (drawer) {
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    const { sourceElement, target } = detail?.ctx ?? {};
    // what came of its form is said beside the page, which a drawer would cover
    if (drawer.open && drawer.contains(sourceElement) && target?.id === "toasts") return drawer.close();
    if (drawer.childElementCount === 0) return;
    if (!drawer.open) drawer.showModal();
    else if (drawer.contains(document.activeElement)) return;
    focusFirst();
  });
  drawer.addEventListener("click", (event) => {
    const isOutside = event.target === drawer;
    if (!isOutside && !event.target.closest("[data-close]")) return;
    event.preventDefault();
    drawer.close();
  });
  drawer.addEventListener("close", () => drawer.replaceChildren());
}

// An open menu closes by a press elsewhere and by Esc.
document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(target)) menu.open = false;
});
document.addEventListener("keydown", ({ key, target }) => {
  const menu = key === "Escape" ? target.closest?.("details.menu[open]") : undefined;
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
