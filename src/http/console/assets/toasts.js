// Messages: good ones go by themselves, failures stay until they are closed. What an open dialog would cover stands in it.

const toasts = document.getElementById("toasts");
const STAYS = 8000;

const begin = (toast) => {
  if (toast.dataset.begun) return;
  toast.dataset.begun = "yes";
  const close = toast.querySelector("[data-close]");
  if (close) {
    close.hidden = false;
    close.addEventListener("click", () => toast.remove());
  }
  if (toast.dataset.toast !== "good") return;
  const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, 1000) : toast.remove());
  setTimeout(leave, STAYS);
};

/** The messages within a dialog, below its head. */
const within = (dialog) => {
  const there = dialog.querySelector(":scope > .toasts");
  if (there) return there;
  const place = document.createElement("div");
  place.className = "toasts";
  const head = dialog.querySelector(":scope > .drawer-head");
  if (head) head.after(place);
  else dialog.prepend(place);
  return place;
};

if (toasts) {
  const beginAll = () => {
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
    for (const toast of toasts.querySelectorAll("[data-toast]")) {
      begin(toast);
      if (dialog?.childElementCount) within(dialog).append(toast);
    }
  };
  beginAll();
  // before the dialog is emptied: what was not closed is still to be read
  const giveBack = ({ target }) => toasts.append(...target.querySelectorAll(":scope > .toasts > *"));
  document.addEventListener("close", giveBack, true);
  // what was refused before is no longer so when it is asked again
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.request.method === "GET") return;
    for (const toast of ctx.sourceElement.closest("dialog")?.querySelectorAll(":scope > .toasts > *") ?? [])
      toast.remove();
  });
  new MutationObserver(beginAll).observe(toasts, { childList: true });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && !document.querySelector("dialog[open], details[open]"))
      toasts.lastElementChild?.remove();
  });

  // The box does not answer: said once, and taken back when it does, for which a page asks that waits for nothing else.
  let lost;
  const say = (kind, text) => {
    const toast = document.createElement("div");
    toast.className = `toast ${kind}`;
    toast.dataset.toast = kind;
    toast.setAttribute("role", kind === "bad" ? "alert" : "status");
    const line = document.createElement("p");
    line.textContent = text;
    toast.append(line);
    toasts.append(toast);
    return toast;
  };
  const answers = () => fetch("/healthz", { cache: "no-store" }).then(Boolean, () => false);
  const moment = () => new Promise((resolve) => setTimeout(resolve, 2000));
  let isLooking = false;
  addEventListener("connection-lost", async () => {
    if (isLooking) return;
    isLooking = true;
    while (document.hidden || !(await answers())) {
      if (!document.hidden && !lost?.isConnected) lost = say("bad", toasts.dataset.lost);
      await moment();
    }
    isLooking = false;
    if (!lost) return;
    lost.remove();
    lost = undefined;
    say("good", toasts.dataset.back);
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx && !ctx.response) dispatchEvent(new Event("connection-lost"));
  });
}
