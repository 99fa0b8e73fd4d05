// Pointing at a chart says the nearest row of its table: by mouse, by touch, and by the arrow keys. Without it the table
// stands on its own.

const SVG = "http://www.w3.org/2000/svg";

function rowsOf(plot) {
  return [...plot.querySelectorAll("tr[data-at]")].map((row) => ({ row, at: Number(row.dataset.at) }));
}

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
  cursor.setAttribute("visibility", "hidden");
  drawing.append(cursor);
  return cursor;
}

function prepare(plot) {
  if (plot.dataset.plot === "ready") return;
  plot.dataset.plot = "ready";
  const drawing = plot.querySelector(".plot-drawing");
  const rows = rowsOf(plot);
  if (!drawing || rows.length === 0) return;
  const caption = plot.querySelector(".plot-caption");
  const atRest = [...caption.childNodes];
  const bars = [...plot.querySelectorAll("[data-bar]")];
  const cursor = bars.length === 0 ? cursorOf(drawing) : undefined;
  let chosen = -1;

  const leave = () => {
    chosen = -1;
    caption.removeAttribute("aria-live");
    caption.replaceChildren(...atRest);
    cursor?.setAttribute("visibility", "hidden");
  };
  const choose = (index) => {
    if (index === chosen || !rows[index]) return;
    chosen = index;
    caption.textContent = sayingOf(plot, rows[index].row);
    const x = `${rows[index].at * 100}%`;
    for (const end of ["x1", "x2"]) cursor?.setAttribute(end, x);
    cursor?.setAttribute("visibility", "visible");
  };
  const nearest = (event) => {
    const box = drawing.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    let best = 0;
    for (const [index, { at }] of rows.entries())
      if (Math.abs(at - share) < Math.abs(rows[best].at - share)) best = index;
    choose(best);
  };
  for (const kind of ["pointermove", "pointerdown"]) drawing.addEventListener(kind, nearest);
  drawing.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && leave());
  drawing.addEventListener("focusout", leave);
  for (const [index, bar] of bars.entries()) bar.addEventListener("focus", () => choose(index));
  if (bars.some((bar) => bar.matches("a"))) return;
  drawing.setAttribute("tabindex", "0");
  drawing.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    caption.setAttribute("aria-live", "polite");
    choose(Math.min(rows.length - 1, Math.max(0, (chosen < 0 ? rows.length : chosen) + step)));
  });
}

function prepareAll() {
  for (const plot of document.querySelectorAll("[data-plot]")) prepare(plot);
}

prepareAll();
document.addEventListener("htmx:after:swap", prepareAll);
