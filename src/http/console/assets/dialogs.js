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
  document.addEventListener("htmx:after:swap", () => {
    if (drawer.open || drawer.childElementCount === 0) return;
    drawer.showModal();
    focusFirst();
  });
  // what came of its form is said beside the page: there is nothing more to fill in; a refusal leaves it as it was typed
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    const isSaid = ctx.response?.status === 200 && ctx.response.headers.get("hx-retarget") === "#toasts";
    if (!isSaid || !drawer.contains(ctx.sourceElement)) return;
    drawer.close();
    drawer.replaceChildren(); // at once: the swap that follows opens what has something in it
  });
  drawer.addEventListener("click", (event) => {
    const isOutside = event.target === drawer;
    if (!isOutside && !event.target.closest("[data-close]")) return;
    event.preventDefault();
    drawer.close();
  });
  // of what replaces its content htmx gives the focus to the field that asks for it
  drawer.addEventListener("focusin", ({ target }) => {
    if (target.matches("input[autofocus]")) target.select();
  });
  drawer.addEventListener("close", () => drawer.replaceChildren());
}

// what is chosen in a menu of filters is sent by its button, not at each tick
const inMenu = (event) => event.target.closest?.(".filter-menu") && event.stopPropagation();
document.addEventListener("change", inMenu, true);

// An open menu closes by a press elsewhere, by Esc, and when the focus goes on; up and down go through what is in it.
const leaveMenus = ({ target }) => {
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(target)) menu.open = false;
};
document.addEventListener("click", leaveMenus);
document.addEventListener("focusin", leaveMenus);
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const menu = target.closest?.("details.menu[open]");
  if (!menu) return;
  if (key === "Escape") {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (
    (key === "ArrowDown" || key === "ArrowUp") &&
    !target.matches("select, textarea, input:not([type=checkbox])")
  ) {
    event.preventDefault();
    const items = [...menu.querySelectorAll("summary, a, button, input:not([type=hidden]), select")];
    const step = key === "ArrowDown" ? 1 : -1;
    items.at((items.indexOf(target) + step) % items.length)?.focus();
  }
});
