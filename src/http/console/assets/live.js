// What is live: one stream, while the page is seen and something on it waits for it (data-live). The stream says what has changed; the
// parts that show it ask for themselves again, at most every data-every seconds, and not while somebody reads them: then they say how
// much is new, where they have a place for it (data-news), and ask when they are left.

let stream;
/** Whether everything waits until the reader goes on. */
let isPaused = false;
/** Whether the box has refused the stream. */
let isCut = false;
/** Of each live part, by its id: when it was asked for last, what has happened since, and the timer of the next time. */
const states = new Map();

const liveParts = () => document.querySelectorAll("[data-live]");

const stateOf = ({ id }) => {
  const known = states.get(id) ?? { asked: performance.now(), news: 0, timer: undefined };
  states.set(id, known);
  return known;
};

const isRead = (part) =>
  isPaused ||
  part.querySelector("details.menu[open], dialog[open], input:checked") !== null ||
  (part.hasAttribute("data-hold") &&
    (part.matches(":hover, :focus-within") || (part.dataset.hold === "top" && scrollY > 120)));

const tellNews = (part, count) => {
  const place = document.querySelector(`[data-news="${part.id}"]`);
  if (!place) return;
  place.hidden = count === 0;
  const number = place.querySelector("[data-count]");
  if (number) number.textContent = count > 999 ? "999+" : String(count);
};

const askNow = (part) => {
  const state = stateOf(part);
  state.asked = performance.now();
  state.news = 0;
  tellNews(part, 0);
  part.dispatchEvent(new CustomEvent("refresh", { bubbles: false }));
};

/** Unless it is read; then again in a moment. */
const ask = (id) => {
  const part = document.getElementById(id);
  if (!part || document.hidden) return;
  const state = stateOf(part);
  clearTimeout(state.timer);
  state.timer = undefined;
  if (!isRead(part)) return askNow(part);
  tellNews(part, state.news);
  state.timer = setTimeout(() => ask(id), 500);
};

/** Now, or when it is its turn again. */
const note = (part, count) => {
  const state = stateOf(part);
  state.news += count;
  if (state.timer) {
    if (isRead(part)) tellNews(part, state.news);
    return;
  }
  const wait = Number(part.dataset.every ?? 2) * 1000 - (performance.now() - state.asked);
  if (wait <= 0 || isRead(part)) ask(part.id);
  else state.timer = setTimeout(() => ask(part.id), wait);
};

const happened = (counts) => {
  for (const [topic, count] of Object.entries(counts)) {
    document.body.dispatchEvent(new CustomEvent(`live:${topic}`, { bubbles: false }));
    for (const part of liveParts()) if (part.dataset.live.split(" ").includes(topic)) note(part, count);
  }
};

/** Whatever may have been missed. */
const anew = () =>
  happened(
    Object.fromEntries(
      [...liveParts()].flatMap(({ dataset }) => dataset.live.split(" ").map((topic) => [topic, 0])),
    ),
  );

const open = () => {
  if (stream || document.hidden || liveParts().length === 0) return;
  let isBroken = false;
  stream = new EventSource("/console/live");
  stream.addEventListener("topics", ({ data }) => happened(JSON.parse(data)));
  stream.addEventListener("open", () => {
    if (isBroken) anew();
    isBroken = false;
  });
  stream.addEventListener("error", () => {
    isBroken = true;
    if (stream?.readyState === EventSource.CONNECTING) return dispatchEvent(new Event("connection-lost"));
    // the session is over, or there are too many streams: nothing comes any more, and the page does not say that it does
    isCut = true;
    showPause();
    anew(); // and what is asked for is told which of both it is
  });
};
const close = () => {
  stream?.close();
  stream = undefined;
  isCut = false;
};

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  open();
  anew();
});
document.addEventListener("signed-in", () => {
  close();
  open();
  showPause();
});
// what somebody has pressed is answered where it was pressed, though the part is read
document.addEventListener("answered", ({ target }) => {
  const part = target.closest?.("[data-live]");
  if (part) askNow(part);
});
addEventListener("pagehide", close);
addEventListener("pageshow", open);
open();

// What a page asks for by itself is no sign that somebody is there.
document.addEventListener("htmx:config:request", ({ detail }) => {
  if (/^(refresh$|live:)/.test(detail.ctx.sourceEvent?.type ?? ""))
    detail.ctx.request.headers["X-Live"] = "1";
});

// Pause, and what takes the reader to what is new.
const showPause = () => {
  for (const pause of document.querySelectorAll("[data-pause]")) {
    pause.hidden = false; // without a script there is nothing to hold
    pause.setAttribute("aria-pressed", String(isPaused));
  }
  for (const chip of document.querySelectorAll("[data-live-chip]"))
    chip.dataset.liveChip = isPaused || isCut ? "paused" : "live";
};
showPause();
document.addEventListener("htmx:after:swap", showPause);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-pause]")) {
    isPaused = !isPaused;
    return showPause();
  }
  const news = target.closest?.("[data-news]");
  const part = news && document.getElementById(news.dataset.news);
  if (!part) return;
  scrollTo({ top: 0 });
  document.activeElement?.blur();
  askNow(part);
});
