// Amounts that are due: pressed, they stand in the field. A day's close says its difference while it is counted. A paper that was
// opened to be printed is.

document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("[data-amount]");
  const field = document.getElementById("amount");
  if (!chosen || !field) return;
  event.preventDefault();
  field.value = chosen.dataset.amount;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

const inCents = (text) => Math.round(Number(text.replaceAll(",", "")) * 100);

document.addEventListener("input", ({ target }) => {
  if (target.id === "amount")
    for (const one of document.querySelectorAll("[data-amount]"))
      if (inCents(one.dataset.amount) === inCents(target.value)) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
  if (target.dataset.expected === undefined) return;
  const line = document.querySelector("[data-difference]");
  const difference = inCents(target.value) - inCents(target.dataset.expected);
  line.hidden = target.value.trim() === "" || Number.isNaN(difference);
  const { exact, over, short } = line.dataset;
  const amount = (Math.abs(difference) / 100).toFixed(2);
  line.textContent = difference === 0 ? exact : `${amount} ${difference > 0 ? over : short}`;
  line.className = difference === 0 ? "difference good-text" : "difference bad-text";
});

// A receipt printer cuts where the page ends: a page is as long as what stands on it, its logo too.
const cutRoll = () => {
  const roll = document.querySelector(".printed .paper-roll");
  if (!roll) return;
  const style = new CSSStyleSheet();
  const millimetres = Math.ceil((roll.offsetHeight / 96) * 25.4) + 1;
  style.replaceSync(`@page roll { size: 80mm ${millimetres}mm; }`);
  document.adoptedStyleSheets = [style];
};
addEventListener("load", cutRoll);
if (document.documentElement.dataset.printNow === "yes") addEventListener("load", () => window.print());
