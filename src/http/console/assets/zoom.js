// A plot that one zooms into, in place of what the server drew: its script, its style and its figures are asked for by the button.

function columnsOf(lines) {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const columns = lines.map(({ points }) => {
    const values = new Map(points);
    return times.map((at) => values.get(at) ?? null);
  });
  return [times, ...columns];
}

function addStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}

const lang = `${document.documentElement.lang}-u-ca-gregory-nu-latn`; // as everywhere else on the page
const short = new Intl.NumberFormat(lang, { notation: "compact" });
const dates = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short" });
const clocks = new Intl.DateTimeFormat(lang, { timeStyle: "short", hourCycle: "h23" });
const DAY = 86_400;

/** Of whole days their dates, of hours when they begin. */
function namesOf(ticks) {
  const isOfDays = ticks.length < 2 || ticks[1] - ticks[0] >= DAY;
  return ticks.map((at) => {
    const hour = clocks.format(at * 1000);
    return isOfDays || hour === "00:00" ? dates.format(at * 1000) : hour;
  });
}

async function zoom(button) {
  const { script, style, hint, zoom: figures } = button.dataset;
  button.disabled = true;
  const [{ default: UPlot }, answer] = await Promise.all([import(script), fetch(figures)]);
  if (!answer.ok) {
    button.disabled = false;
    return;
  }
  addStyle(style);
  const { lines } = await answer.json();
  const card = button.closest(".card");
  const plot = card.querySelector(".plot");
  const colors = getComputedStyle(plot);
  const color = (name) => colors.getPropertyValue(`--${name}`).trim();
  const axis = { stroke: color("soft"), grid: { stroke: color("line") }, ticks: { stroke: color("line") } };
  const place = document.createElement("div");
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", plot.querySelector(".plot-drawing").getAttribute("aria-label"));
  plot.querySelector(".plot-frame").replaceWith(place);
  for (const keys of card.querySelectorAll(".plot-keys")) keys.remove(); // its legend says the same
  plot.querySelector(".plot-caption").textContent = hint;
  const size = () => ({ width: place.clientWidth, height: 230 });
  const drawn = new UPlot(
    {
      ...size(),
      axes: [
        { ...axis, values: (_, ticks) => namesOf(ticks) },
        { ...axis, size: 56, values: (_, ticks) => ticks.map((tick) => short.format(tick)) },
      ],
      scales: { y: { range: (_, least, most) => [0, most * 1.05 || 1] } },
      series: [
        {
          label: plot.querySelector("thead th").textContent,
          value: (_, at) => (at === null ? "" : `${dates.format(at * 1000)}, ${clocks.format(at * 1000)}`),
        },
        ...lines.map(({ name, tone }) => ({
          label: name,
          stroke: color(tone),
          width: 1.6,
          value: (_, value) => (value === null ? "" : short.format(value)),
        })),
      ],
    },
    columnsOf(lines),
    place,
  );
  new ResizeObserver(() => drawn.setSize(size())).observe(plot);
  button.hidden = true;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-zoom]");
  if (button) void zoom(button);
});
const show = () => {
  for (const button of document.querySelectorAll("[data-zoom]")) button.hidden = button.disabled;
};
show();
document.addEventListener("htmx:after:swap", show);
