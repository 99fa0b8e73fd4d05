// A day in a field stands there as it stands everywhere else on the page, until the field is gone into: a browser writes it as its own language does, and
// of an empty one how it would be written. What is sent is the field's.

const { lang: pageLang, dir: pageDir } = document.documentElement;
const region = new Intl.Locale(
  navigator.language.split("-")[0] === pageLang.split("-")[0] ? navigator.language : pageLang,
  { numberingSystem: "latn", calendar: "gregory" },
);
const inField = {
  date: new Intl.DateTimeFormat(region, { dateStyle: "medium", timeZone: "UTC" }),
  "datetime-local": new Intl.DateTimeFormat(region, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }),
};

const showDate = (input) => {
  const at =
    input.value === "" ? Number.NaN : Date.parse(`${input.value}${input.type === "date" ? "" : "Z"}`);
  const text = Number.isNaN(at) ? "" : inField[input.type].format(at);
  // a browser of another direction than the page keeps its own in the field
  if (pageDir === "rtl") input.parentElement.dir = getComputedStyle(input).direction;
  input.nextElementSibling.textContent = pageDir === "rtl" ? `\u2068${text}\u2069` : text;
  input.dataset.dated = "";
};
const showDates = () => document.querySelectorAll(".dated > input").forEach(showDate);

// where a browser does not say which part of a field its own writing is, that stays
if (CSS.supports("selector(::-webkit-datetime-edit)")) {
  showDates();
  document.addEventListener("htmx:after:swap", showDates);
  for (const type of ["input", "change"])
    document.addEventListener(type, ({ target }) => {
      if (target.matches?.(".dated > input")) showDate(target);
    });
}
