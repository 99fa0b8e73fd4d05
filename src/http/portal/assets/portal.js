// What the pages can do beyond what they are without it: nothing here is needed to read or use them.

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

for (const button of document.querySelectorAll("[data-reveal]")) {
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

for (const chart of document.querySelectorAll("[data-chart]")) {
  const readout = chart.querySelector("[data-readout]");
  const whole = readout.textContent;
  const days = chart.querySelectorAll("[data-day]");
  const light = (chosen) => {
    for (const day of days) day.classList.toggle("lit", day === chosen);
    readout.textContent = chosen ? chosen.dataset.day : whole;
  };
  for (const day of days) {
    day.addEventListener("pointerenter", () => light(day));
    day.addEventListener("pointerdown", () => light(day));
  }
  chart.addEventListener("pointerleave", () => light(undefined));
}

// The captive page: whether what answers here is still, and still says, the same.
const { watch } = document.documentElement.dataset;
if (watch !== undefined) {
  const ask = async () => {
    const answer = await fetch(location.href, { cache: "no-store", redirect: "manual" }).catch(
      () => undefined,
    );
    if (answer && answer.headers.get("x-gatehouse-captive") !== watch) location.reload();
  };
  setInterval(ask, 30_000);
}
