// What the pages can do beyond what they are without it: nothing here is needed to read or use them.

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
const { watch, leadsTo } = document.documentElement.dataset;
if (watch !== undefined) {
  const ask = async () => {
    const answer = await fetch(location.href, { cache: "no-store", redirect: "manual" }).catch(
      () => undefined,
    );
    const said = answer?.headers.get("x-gatehouse-captive");
    if (!answer || said === watch) return;
    if (said === null && leadsTo !== undefined) location.assign(leadsTo);
    else location.reload();
  };
  setInterval(ask, 30_000);
}
