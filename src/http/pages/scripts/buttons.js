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
