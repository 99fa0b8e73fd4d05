// What the router's pages do beyond what they are without it. Before it stand `md5` and `refusals`: which words of a language say what
// the router or RADIUS says.
const html = document.documentElement;
const byId = (id) => document.getElementById(id);
html.className = "js";

// What the servlet escaped for an address: blanks are plus signs.
const unescaped = (text) => {
  try {
    return decodeURIComponent((text || "").replace(/\+/g, " "));
  } catch {
    return "";
  }
};
const isLink = (text) => /^https?:\/\//i.test(text);

// Capitals without blanks and dashes, digits of other scripts as those of ours, as the server compares a code.
const normalCode = (typed) =>
  typed
    .replace(/[\s\u00ad\u058a\u05be\u200b-\u200f\u2010-\u2015\u2060\u2212\ufe58\ufe63\uff0d\ufeff-]+/g, "")
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - [0x9e6, 0x966, 0x6f0, 0x660].find((zero) => zero <= code));
    })
    .toUpperCase();

// The servlet writes the bytes of the challenge as \ooo.
const bytesOf = (text) =>
  text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));
const utf8 = (text) => unescape(encodeURIComponent(text));

const form = byId("login");

const send = (username, password) => {
  const { chapId, chapChallenge, to } = form.dataset;
  const hashed = chapId ? window.md5(bytesOf(chapId) + utf8(password) + bytesOf(chapChallenge)) : password;
  const sent = document.createElement("form");
  sent.method = "post";
  sent.action = form.action;
  const fields = {
    username,
    password: hashed,
    dst: isLink(unescaped(to)) ? unescaped(to) : "",
    popup: "false",
  };
  Object.keys(fields).forEach((name) => {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = fields[name];
    sent.appendChild(field);
  });
  document.body.appendChild(sent);
  html.classList.add("sending");
  sent.submit();
};

const startLogin = () => {
  const { username, password } = form.elements;
  const more = byId("more");
  const typed = unescaped(form.dataset.typed);
  if (typed) username.value = typed;
  const choose = () => {
    html.classList.toggle("named", more.open);
    password.required = more.open;
    username.autocapitalize = more.open ? "none" : "characters";
  };
  more.addEventListener("toggle", choose);
  choose();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (html.classList.contains("sending")) return;
    if (more.open) return send(username.value.trim(), password.value);
    const code = normalCode(username.value);
    if (code) send(code, code);
  });
  addEventListener("pageshow", () => html.classList.remove("sending"));
  fromAddress();
};

// A picture that logs in has name and password in its address. Where only hashed ones are taken, the router has not understood it.
const fromAddress = () => {
  if (!form.dataset.chapId || form.dataset.plain === "yes") return;
  const given = {};
  location.search
    .slice(1)
    .split("&")
    .forEach((pair) => {
      const [name, value] = pair.split("=");
      given[name] = unescaped(value);
    });
  if (!given.username || !given.password) return;
  const code = normalCode(given.username);
  const isCode = code === normalCode(given.password);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) return; // somebody came back, and does not want to send it again
    history.replaceState(null, "", location.pathname); // the phone's history need not keep it
    if (isCode) send(code, code);
    else send(given.username, given.password);
  });
};

// Pages by which devices try whether they are online: nothing to see there.
const probes =
  /generate_?204|gen_204|hotspot-detect|captive\.apple|connecttest|ncsi\.txt|success\.(txt|html)|canonical\.html/i;
const goOn = byId("go-on");
const startGoingOn = () => {
  const to = unescaped(goOn.dataset.to);
  if (isLink(to) && !probes.test(to)) goOn.href = to;
  setTimeout(() => location.replace(goOn.href), 2000);
};

const shownSeconds = (seconds, words) => {
  const parts = [
    [Math.floor(seconds / 86400), words.day],
    [Math.floor(seconds / 3600) % 24, words.hour],
    [Math.floor(seconds / 60) % 60, words.minute],
    [seconds % 60, words.second],
  ];
  const first = parts.findIndex(([number]) => number > 0);
  return parts
    .slice(first < 0 ? 3 : first, first < 0 ? 4 : first + 2)
    .filter(([number], at) => at === 0 || number > 0)
    .map(([number, unit]) => `${number.toLocaleString(words.tag)} ${unit}`)
    .join(" ");
};

const shownBytes = (bytes, words) => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < 4; unit++) size /= 1000;
  const digits = size < 10 && unit > 0 ? 1 : 0;
  return `\u2068${size.toLocaleString(words.tag, { maximumFractionDigits: digits })} ${units[unit]}\u2069`;
};

const error = byId("error");
const said = error ? error.textContent.trim() : "";

const speak = ({ dir, words }) => {
  html.lang = words.tag;
  html.dir = dir;
  [].forEach.call(document.querySelectorAll("[data-w]"), (each) => {
    each.textContent = words[each.dataset.w];
  });
  [].forEach.call(document.querySelectorAll("[data-seconds]"), (each) => {
    if (/^\d+$/.test(each.dataset.seconds)) each.textContent = shownSeconds(+each.dataset.seconds, words);
  });
  [].forEach.call(document.querySelectorAll("[data-bytes]"), (each) => {
    const [, one, more = "0"] = /^(\d+)(?:\+(\d+))?$/.exec(each.dataset.bytes) || [];
    if (one) each.textContent = shownBytes(+one + +more, words);
  });
  document.title = document.querySelector("h1").textContent;
  if (error && refusals[said]) error.textContent = words[refusals[said]];
};

const KEY = "hotspot-language";
const remembered = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const remember = (tag) => {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // a browser that keeps nothing asks again
  }
};

// A file of words calls this.
window.hotspotWords = speak;
const load = (tag) => {
  const script = document.createElement("script");
  script.src = `words-${tag}.js`;
  document.head.appendChild(script);
};

const menu = byId("language");
const startLanguages = () => {
  const known = [].map.call(menu.options, ({ value }) => value);
  const wanted = [remembered()].concat(navigator.languages || navigator.language).map((tag) => {
    const [language] = (tag || "").toLowerCase().split("-");
    return language === "in" ? "id" : language; // as old Android names Indonesian
  });
  const chosen = wanted.find((tag) => known.indexOf(tag) >= 0) || html.lang;
  menu.value = chosen;
  menu.addEventListener("change", () => {
    remember(menu.value);
    load(menu.value);
  });
  load(chosen);
};

// What is left is asked for again as often as the router says.
const fresh = document.querySelector("[data-fresh]");
const startRefreshing = () => {
  const seconds = Number(fresh.dataset.fresh);
  if (seconds > 0) setTimeout(() => location.reload(), seconds * 1000);
};

startLanguages();
if (fresh) startRefreshing();
if (form) startLogin();
if (goOn) startGoingOn();
