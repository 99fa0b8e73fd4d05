// The last list of people: kept for this tab while one of them is open, so that j and k lead to the next and the previous one.

const KEY = "people";
const PERSON = /^\/console\/subscribers\/(\d+)$/;

const peopleOf = (root) => {
  const paths = [...root.querySelectorAll("#content a[href]")].map((link) => link.pathname);
  return [...new Set(paths.filter((path) => PERSON.test(path)))];
};

const keep = () => {
  if (location.pathname.startsWith("/console/subscribers/")) return;
  const people = peopleOf(document);
  if (people.length > 1)
    sessionStorage.setItem(KEY, JSON.stringify({ list: location.pathname + location.search, people }));
};

const offer = () => {
  const way = document.querySelector("[data-way]");
  const kept = sessionStorage.getItem(KEY);
  if (!way || kept === null || way.dataset.offered) return;
  way.dataset.offered = "yes";
  const { list, people } = JSON.parse(kept);
  const here = people.indexOf(way.dataset.way);
  if (here < 0) return;
  way.querySelector(".way-back").href = list;
  const place = way.querySelector("[data-place]");
  place.textContent = place.dataset.place.replace("{at}", here + 1).replace("{of}", people.length);
  for (const [key, path] of [
    ["j", people[here + 1]],
    ["k", people[here - 1]],
  ]) {
    const link = way.querySelector(`[data-key="${key}"]`);
    link.hidden = path === undefined;
    if (path) link.href = path;
  }
};

const both = () => {
  keep();
  offer();
};
both();
document.addEventListener("htmx:after:swap", both);
