// Lists: j and k go through the rows of every table, the arrows too once a row has the focus, Enter opens it, x ticks it. Rows are ticked
// in ranges with Shift, all of the page at once; how many are ticked stands on the bar of what is done to them.

const ROWS = ".table tbody tr, [data-rows] > *";
const BOX = "input[type=checkbox][form]:not(:disabled)";

const top = () => document.querySelector("dialog[open]") ?? document.getElementById("content") ?? document;
const rows = () => [...top().querySelectorAll(ROWS)].filter((row) => row.checkVisibility());
const boxesOf = (table) => [...table.querySelectorAll(`tbody ${BOX}`)];
let last;

const show = () => {
  for (const table of document.querySelectorAll("table:has([data-choose-all])")) {
    const all = boxesOf(table);
    for (const box of all) box.closest("tr").classList.toggle("chosen", box.checked);
    const chosen = all.filter((box) => box.checked).length;
    const every = table.querySelector("[data-choose-all]");
    every.hidden = false;
    every.checked = chosen > 0 && chosen === all.length;
    every.indeterminate = chosen > 0 && !every.checked;
    const count = document.querySelector(".bulk-bar [data-count]");
    if (count) count.textContent = String(chosen);
  }
};

document.addEventListener("click", ({ target, shiftKey }) => {
  const box = target.closest?.("input[type=checkbox]");
  const table = box?.closest("table:has([data-choose-all])");
  if (!table) return;
  const all = boxesOf(table);
  if (box.matches("[data-choose-all]")) for (const one of all) one.checked = box.checked;
  else if (shiftKey && last) {
    const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
    if (from >= 0) for (const one of all.slice(from, to + 1)) one.checked = box.checked;
  }
  if (!box.matches("[data-choose-all]")) last = box;
  show();
});
show();
document.addEventListener("htmx:after:swap", show);
// what was done to those that are ticked is done: they are ticked no longer, and their part comes anew
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const { method } = ctx.request;
  if (method === "GET" || ctx.response?.status !== 200 || !ctx.sourceElement.matches?.(".bulk-bar")) return;
  const ticked = document.querySelectorAll(`input[form="${ctx.sourceElement.id}"]:checked`);
  for (const box of ticked) box.checked = false;
  show();
});

/** What opens a row, else its first button; a row without either has the focus itself. */
const handleOf = (row) => {
  for (const kind of ["a[href]", "summary", "button:not(:disabled)"]) {
    const handle = [...row.querySelectorAll(kind)].find((element) => element.checkVisibility());
    if (handle) return handle;
  }
  row.tabIndex = -1;
  return row;
};

const step = (by) => {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  if (next) handleOf(next).focus();
  return next !== undefined;
};

const STEPS = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target, isComposing } = event;
  if (ctrlKey || metaKey || altKey || shiftKey || isComposing || event.defaultPrevented) return;
  if (document.documentElement.dataset.keys === "off") return;
  if (target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable], details.menu[open]"))
    return;
  const row = target.closest?.(ROWS);
  const by = STEPS[key];
  // arrows scroll a page, and j and k lead from one person to the next, as long as no row has the focus
  const isMeant =
    row || (key.length === 1 && !document.querySelector(":is([data-key=j], [data-key=k]):not([hidden])"));
  if (by !== undefined && isMeant && step(by)) event.preventDefault();
  else if (key === "x" && row?.querySelector(BOX)) {
    row.querySelector(BOX).click();
    event.preventDefault();
  }
});
