// The focus is never lost to the page as a whole: when a button rests while it is asked, a part comes anew or a drawer closes, what had
// the focus has it again; where that is gone, what has come in its place; else the content. A field that was refused has it first.

// on a phone a row of tabs is wider than the screen: it is moved, and the page is not, until the one that is open is in sight
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const row = tab.closest(".tabs");
  const [at, within] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += at.left + at.width / 2 - (within.left + within.width / 2);
}

/** What had the focus last: on the page, and in a dialog above it. */
let had;
let hadAbove;
/** The row of a list that it stood in: what was pressed may be gone with its answer, and its row is not. */
let hadRow;

const isShown = (element) => element?.isConnected && element.checkVisibility() && !element.disabled;

/** What stands now where `element` stood: the same link, field or button of the page anew, or the menu that it was chosen in. */
const inPlaceOf = (element) => {
  const menu = element.closest("details.menu:not([open])");
  if (menu?.isConnected) return menu.querySelector("summary");
  for (const name of ["id", "href", "aria-label", "data-key"]) {
    const value = element.getAttribute(name);
    const same = value && document.querySelector(`#content [${name}="${CSS.escape(value)}"]`);
    if (isShown(same)) return same;
  }
  const row = hadRow && document.getElementById(hadRow);
  const inRow = row && [...row.querySelectorAll("a, button")].find(isShown);
  if (inRow) return inRow;
  return document.getElementById("content");
};

const keep = ({ target }) => {
  if (target.matches("main, dialog")) return;
  if (target.closest("dialog")) hadAbove = target;
  else {
    had = target;
    hadRow = target.closest("tr[id]")?.id;
  }
};

const giveBack = () => {
  const { activeElement } = document;
  const dialog = document.querySelector("dialog[open]");
  if (activeElement !== document.body && activeElement !== dialog) return;
  const last = dialog ? hadAbove : had;
  if (!last || (last.isConnected && last.disabled)) return; // it is asked for still
  if (isShown(last)) last.focus({ preventScroll: true });
  else if (!dialog) inPlaceOf(last)?.focus({ preventScroll: true });
};

const toFault = (root) => [...root.querySelectorAll("[aria-invalid=true]")].find(isShown)?.focus();

// a browser cannot show what it finds wrong in a part that is closed, and would say nothing
document.addEventListener(
  "invalid",
  ({ target }) => target.closest("details:not([open])")?.toggleAttribute("open", true),
  true,
);
document.addEventListener("focusin", keep);
document.addEventListener("pointerdown", () => (had = undefined));
for (const name of ["htmx:after:swap", "htmx:finally:request"])
  document.addEventListener(name, () => setTimeout(giveBack));
document.addEventListener("close", () => setTimeout(giveBack), true);
document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail?.ctx && detail.ctx.request.method !== "GET")
    toFault(document.querySelector("dialog[open]") ?? document);
});
toFault(document);
