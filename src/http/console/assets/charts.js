// Pointing at a chart says the nearest row of its table: by mouse, by touch, and by the arrow keys. Without it the table
// stands on its own. Parts of a page change beneath it, so what a chart has is looked up when it is needed.

const SVG = "http://www.w3.org/2000/svg";
/** Of a caption: what it said before, and what it was made to say. */
const captions = new WeakMap();
/** Of a drawing: the index of the row that was said last. */
const chosen = new WeakMap();

const rowsOf = (plot) => [...plot.querySelectorAll("tr[data-at]")];

function sayingOf(plot, row) {
  if (row.dataset.says) return row.dataset.says;
  const heads = [...plot.querySelectorAll("thead th")].slice(1).map((head) => head.textContent);
  const cells = [...row.querySelectorAll("td")].map((cell) => cell.textContent);
  const said = cells.flatMap((cell, index) => (cell === "" ? [] : [`${heads[index]} ${cell}`]));
  return `${row.querySelector("th").textContent}: ${said.join(" · ")}`;
}

function cursorOf(drawing) {
  const found = drawing.querySelector(".plot-cursor");
  if (found) return found;
  const cursor = document.createElementNS(SVG, "line");
  cursor.setAttribute("class", "plot-cursor");
  cursor.setAttribute("y1", "0");
  cursor.setAttribute("y2", "100%");
  return drawing.appendChild(cursor);
}

function choose(drawing, index) {
  const plot = drawing.closest("[data-plot]");
  const row = rowsOf(plot)[index];
  if (!row) return;
  chosen.set(drawing, index);
  const caption = plot.querySelector(".plot-caption");
  const said = sayingOf(plot, row);
  const before = captions.get(caption);
  const rest = before?.said === caption.textContent ? before.rest : caption.textContent;
  captions.set(caption, { rest, said });
  caption.textContent = said;
  if (drawing.querySelector("[data-bar]")) return;
  const cursor = cursorOf(drawing);
  for (const end of ["x1", "x2"]) cursor.setAttribute(end, `${row.dataset.at * 100}%`);
}

function leave(drawing) {
  const caption = drawing.closest("[data-plot]").querySelector(".plot-caption");
  const before = captions.get(caption);
  if (before?.said === caption.textContent) caption.textContent = before.rest;
  caption.removeAttribute("aria-live");
  chosen.delete(drawing);
  drawing.querySelector(".plot-cursor")?.remove();
}

function point(event) {
  const drawing = event.target.closest?.(".plot-drawing");
  if (!drawing) return;
  const box = drawing.getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const away = rowsOf(drawing.closest("[data-plot]")).map((row) => Math.abs(row.dataset.at - share));
  choose(drawing, away.indexOf(Math.min(...away)));
}

document.addEventListener("pointermove", point);
document.addEventListener("pointerdown", point);
document.addEventListener("pointerout", (event) => {
  const drawing = event.target.closest?.(".plot-drawing");
  if (drawing && event.pointerType === "mouse" && !drawing.contains(event.relatedTarget)) leave(drawing);
});
document.addEventListener("focusout", (event) => {
  const drawing = event.target.closest?.(".plot-drawing");
  if (drawing && !drawing.contains(event.relatedTarget)) leave(drawing);
});
document.addEventListener("focusin", (event) => {
  const bar = event.target.closest?.("[data-bar]");
  if (bar) choose(bar.closest(".plot-drawing"), Number(bar.dataset.bar));
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined || !event.target.matches?.(".plot-drawing")) return;
  event.preventDefault();
  const plot = event.target.closest("[data-plot]");
  plot.querySelector(".plot-caption").setAttribute("aria-live", "polite");
  const { length } = rowsOf(plot);
  choose(event.target, Math.min(length - 1, Math.max(0, (chosen.get(event.target) ?? length) + step)));
});

/** What has no links is reached by the keyboard as a whole. */
function makeReachable() {
  for (const drawing of document.querySelectorAll(".plot-drawing"))
    if (!drawing.querySelector("a")) drawing.setAttribute("tabindex", "0");
}
makeReachable();
document.addEventListener("htmx:after:swap", makeReachable);
