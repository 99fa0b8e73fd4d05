// Where something is printed or shown by a script alone.
const prepare = () => {
  for (const button of document.querySelectorAll("[data-print][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  for (const button of document.querySelectorAll("[data-reveal][hidden]")) {
    const input = document.getElementById(button.getAttribute("aria-controls"));
    const { show, hide } = button.dataset;
    button.hidden = false;
    button.addEventListener("click", () => {
      const reveal = input.type === "password";
      input.type = reveal ? "text" : "password";
      button.textContent = reveal ? hide : show;
      button.setAttribute("aria-pressed", String(reveal));
      input.focus();
    });
  }
};
prepare();
document.addEventListener("htmx:after:swap", prepare);

// What is to be pasted elsewhere. Without TLS a browser has no clipboard to write to: then what is chosen is copied.
const copyText = async (source) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(source.textContent);
  const chosen = getSelection();
  chosen.selectAllChildren(source);
  document.execCommand("copy");
};
const prepareCopies = () => {
  for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
};
prepareCopies();
document.addEventListener("htmx:after:swap", prepareCopies);
document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  const source = button && document.getElementById(button.dataset.copy);
  if (!source) return;
  await copyText(source);
  button.querySelector("span").textContent = button.dataset.copied;
});
