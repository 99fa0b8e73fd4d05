// Keys: `/` to search, `g` and a letter to a page, one letter for what shows it (data-key). They rest while a field has the focus.

let isGoing = false;

const isTyping = ({ target }) =>
  target.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]") !==
  null;

const visible = (element) => element.checkVisibility?.() ?? true;

/** An open dialog keeps the keys; what the page itself offers goes before what stands on every page. */
const press = (selector) => {
  const dialog = document.querySelector("dialog[open]");
  const shown = [...(dialog ?? document).querySelectorAll(selector)].filter(visible);
  const found = shown.find((element) => element.closest("#content")) ?? shown[0];
  found?.focus(); // what it opens gives the focus back to it
  found?.click();
  return found !== undefined;
};

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented || isTyping(event)) return;
  if (document.documentElement.dataset.keys === "off") return;
  const letter = key.toLowerCase();
  if (isGoing) {
    isGoing = false;
    if (/^[a-z]$/.test(letter) && press(`[data-go="${letter}"]`)) event.preventDefault();
    return;
  }
  if (key === "/") {
    event.preventDefault();
    document.getElementById("search")?.focus();
  } else if (letter === "g") {
    isGoing = true;
    setTimeout(() => (isGoing = false), 1500);
  } else if (/^[a-z?]$/.test(letter) || key === " ") {
    const name = key === " " ? "space" : letter;
    if (event.target.closest?.("button, summary, a, input") && key === " ") return;
    if (press(`[data-key="${name}"]`)) event.preventDefault();
  }
});
