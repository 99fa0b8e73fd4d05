// A day in a field stands there as it stands everywhere else on the page, until the field is gone into: a browser writes it as its own language does, and
// of an empty one how it would be written. What is sent is the field's.

const { lang: pageLang } = document.documentElement;
const region = navigator.language.split("-")[0] === pageLang.split("-")[0] ? navigator.language : pageLang;
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
  input.nextElementSibling.textContent = Number.isNaN(at) ? "" : inField[input.type].format(at);
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
