// The list of subscribers: boxes are ticked in ranges with Shift, all of the page at once; j and k go through the rows, x ticks one.

const table = document.getElementById("people");
const bar = document.getElementById("chosen");

const boxes = () => [...table.querySelectorAll("tbody input[type=checkbox]")];
const rows = () => [...table.querySelectorAll("tbody tr")];
let last;

const show = () => {
  for (const box of boxes()) box.closest("tr").classList.toggle("chosen", box.checked);
  const all = table.querySelector("[data-choose-all]");
  const chosen = boxes().filter((box) => box.checked).length;
  if (all) {
    all.hidden = false;
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && !all.checked;
  }
  const count = bar?.querySelector("[data-count]");
  if (count) count.textContent = String(chosen);
};

const pick = (event) => {
  const box = event.target.closest("input[type=checkbox]");
  if (!box || !table.contains(box)) return;
  if (box.matches("[data-choose-all]")) for (const one of boxes()) one.checked = box.checked;
  else if (event.shiftKey && last) {
    const all = boxes();
    const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
    if (from >= 0) for (const one of all.slice(from, to + 1)) one.checked = box.checked;
  }
  if (!box.matches("[data-choose-all]")) last = box;
  show();
};

const step = (by) => {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.querySelector("a")?.focus();
};

if (table) {
  table.addEventListener("click", pick);
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return;
    if (document.documentElement.dataset.keys === "off") return;
    if (target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
    else if (key === "x") document.activeElement.closest("tbody tr")?.querySelector("input")?.click();
    else return;
    event.preventDefault();
  });
  show();
}
