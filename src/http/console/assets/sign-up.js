// The form of a new customer: the username follows the name, and the amount the package, until somebody has typed there.

const form = document.getElementById("sign-up");

if (form) {
  const { username, amount } = form.elements;
  const own = (input, text) => {
    if (!input || text === undefined || input.dataset.typed) return;
    input.value = text;
  };
  const due = () => document.getElementById("sale")?.dataset.due;
  const proposed = (input) => (input === amount ? due() : undefined);
  for (const input of [username, amount]) {
    if (!input) continue;
    if (input.value !== "" && input.value !== proposed(input)) input.dataset.typed = "yes";
    input.addEventListener("input", () => {
      if (input.value === "") delete input.dataset.typed;
      else input.dataset.typed = "yes";
    });
  }
  document.addEventListener("htmx:after:swap", () => {
    const name = form.elements.name.value.trim();
    own(username, name === "" ? "" : document.getElementById("username-said")?.dataset.proposal);
    own(amount, due());
  });
}
