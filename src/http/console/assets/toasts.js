// Messages: good ones go by themselves, failures stay until they are closed.

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

if (toasts) {
  const beginAll = () => {
    for (const toast of toasts.querySelectorAll("[data-toast]")) begin(toast);
  };
  beginAll();
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
  const answers = () =>
    !document.hidden && fetch("/healthz", { cache: "no-store" }).then(Boolean, () => false);
  let isLooking = false;
  addEventListener("connection-lost", async () => {
    if (isLooking) return;
    isLooking = true;
    for (; !(await answers()); await new Promise((resolve) => setTimeout(resolve, 2000)))
      lost ??= say("bad", toasts.dataset.lost);
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
