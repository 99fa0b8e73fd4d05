// A press that waits for somebody else's answer is seen at once: its button turns and keeps its words and the focus, its row says who is
// asked (data-asking, in the row's place for answers or on the button itself). Until the answer nothing is sent a second time.

/** Of each form that waits: what takes its signs away again. */
const waiting = new Map();

const rowsOf = (form) => {
  const chosen = form.id ? [...document.querySelectorAll(`tr input[form="${form.id}"]:checked`)] : [];
  return [form, ...chosen].flatMap((element) => element.closest("tr") ?? []);
};

const mark = (element) => {
  element.setAttribute("aria-busy", "true");
  return () => element.removeAttribute("aria-busy");
};

/** Says in a row who is asked; false where it has no place for it. */
const say = (row, text) => {
  const place = row.querySelector("[data-answer]");
  if (!place || !text) return undefined;
  const words = document.createElement("span");
  words.className = "asking";
  words.setAttribute("role", "status");
  words.textContent = text;
  place.append(words);
  return () => words.remove();
};

/** The button says it itself. */
const rename = (button, text) => {
  const label = button.querySelector(":scope > span:not(.unseen)");
  if (!label || !text) return undefined;
  const before = label.textContent;
  label.textContent = text;
  return () => (label.textContent = before);
};

const begin = (form, button) => {
  const rows = rowsOf(form);
  const told = rows.map((row) => say(row, row.querySelector("[data-asking]")?.dataset.asking));
  const signs = [...[form, ...rows].map(mark), ...told];
  if (button) signs.push(mark(button));
  if (button && !told.some(Boolean)) signs.push(rename(button, button.dataset.asking));
  waiting.set(form, signs);
};

const end = (form) => {
  for (const undo of waiting.get(form) ?? []) undo?.();
  waiting.delete(form);
};

document.addEventListener(
  "submit",
  (event) => {
    if (!waiting.has(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const { method, submitter } = ctx.request;
  const form = ctx.sourceElement;
  if (method === "GET" || ctx.sourceEvent?.type !== "submit" || !(form instanceof HTMLFormElement)) return;
  begin(form, submitter ?? form.querySelector("button:not([type=button])"));
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement;
  if (!waiting.has(form)) return;
  end(form);
  // the reader holds the part whose button has the focus: it says what came of the press all the same
  form.closest("[data-live]")?.dispatchEvent(new Event("answered", { bubbles: true }));
});
