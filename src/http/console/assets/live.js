// What is live: one stream, while the page is seen and something on it waits for it (data-live). The stream says what has changed; the
// parts that show it ask for themselves again, unless somebody is reading them.

let stream;

const open = () => {
  if (stream || document.hidden || !document.querySelector("[data-live]")) return;
  stream = new EventSource("/console/live");
  stream.addEventListener("topics", ({ data }) => {
    for (const topic of JSON.parse(data))
      document.body.dispatchEvent(new CustomEvent(`live:${topic}`, { bubbles: false }));
  });
  stream.addEventListener("open", () => dispatchEvent(new Event("connection-back")));
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CONNECTING) dispatchEvent(new Event("connection-lost"));
  });
};
const close = () => {
  stream?.close();
  stream = undefined;
};

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  open();
  for (const part of document.querySelectorAll("[data-live]"))
    for (const topic of part.dataset.live.split(" "))
      document.body.dispatchEvent(new CustomEvent(`live:${topic}`, { bubbles: false }));
});
addEventListener("pagehide", close);
addEventListener("pageshow", open);
open();
