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
