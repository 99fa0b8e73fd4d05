import { expect, test } from "bun:test";
import { Glob } from "bun";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { callers, withTenants } from "../support/tenants.ts";
import { consoleStyle, placeStyles, startSheet } from "../../src/http/console/assets.ts";
import { asset } from "../../src/http/pages/assets.ts";

const folders = ["src/http/pages/css", "src/http/console/assets"];

/** The classes to which a stylesheet gives a look wherever they stand: `.filter` and `.filter:hover`, not `.people .filter`. */
function classesOf(style: string): Set<string> {
  const selectors = style.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{/g);
  const each = [...selectors].flatMap(([, list = ""]) => list.replaceAll(/\([^)]*\)/g, "").split(","));
  return new Set(each.flatMap((one) => /^\.([\w-]+)(?:::?[\w-]+|\[[^\]]*\])*$/.exec(one.trim())?.[1] ?? []));
}

test("a class has its look from one file: any two of them may stand in one page", async () => {
  const filesOf = new Map<string, string[]>();
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder)) {
      if (file === "print.css") continue; // takes away on paper what others have
      for (const name of classesOf(await Bun.file(`${folder}/${file}`).text()))
        filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
    }
  expect(filesOf.get("menu")).toEqual(["tabs.css"]);
  expect([...filesOf].filter(([, files]) => files.length > 1)).toEqual([]);
});

const placed = [...Object.values(placeStyles), startSheet];

test("every file is in a stylesheet that pages have", async () => {
  const sent = [consoleStyle, ...placed].map(({ text }) => text).join();
  const asSent = (text: string) => asset("", "", "css", text).text;
  const missing: string[] = [];
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder))
      if (!sent.includes(asSent(await Bun.file(`${folder}/${file}`).text()))) missing.push(file);
  expect(missing).toEqual([]);
});

test("what is narrow on a screen is not narrow on paper: a page is printed as it is on a wide screen", async () => {
  const found: string[] = [];
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder))
      for (const [query] of (await Bun.file(`${folder}/${file}`).text()).matchAll(/@media [^{]*width[^{]*/g))
        if (!/screen|^@media print, /.test(query)) found.push(`${file}: ${query}`);
  expect(found).toEqual([]);
});

/** Every class that a stylesheet names. */
const namedIn = (style: string) =>
  new Set(
    [...style.replaceAll(/\/\*.*?\*\/|\{[^{}]*\}/gs, " ").matchAll(/\.([a-z][\w-]*)/g)].map(
      ([, name = ""]) => name,
    ),
  );

test("a page has the stylesheets of the classes that it is written with", async () => {
  using app = await withTenants();
  const common = namedIn(consoleStyle.text);
  const own = placed.map(({ path, text }) => ({ path, classes: namedIn(text).difference(common) }));
  const cookies = new Map<string, string>();
  const missing: string[] = [];
  for (const { method, path } of consoleRoutes) {
    if (method !== "GET" || path === "/console/live" || /\.\w+$/.test(path)) continue;
    const account = /\/(start|access-boxes|backups|appliance)/.test(path) ? callers.operator : callers.admin;
    const cookie = cookies.get(account) ?? (await consoleSessionOf(app, account));
    cookies.set(account, cookie);
    const address = path
      .replace(":kind", "city")
      .replace(":group", "money")
      .replace(":key", "auto_renew_lead")
      .replaceAll(/:\w+/g, "1");
    const request = new Request(`http://localhost${address}`, { headers: { cookie } });
    const html = await (await app.app.handle(request)).text();
    const used = new Set(
      [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" ")),
    );
    for (const { path: sheet, classes } of own)
      if (!html.includes(sheet))
        missing.push(...[...classes.intersection(used)].map((name) => `${path}: ${name} of ${sheet}`));
  }
  // words that a place's sheet says of something else within it
  expect(
    missing.filter((line) => !/: (report|single|flag|current|closed|in|left|over) of /.test(line)),
  ).toEqual([]);
});

test("a sheet of some pages says in its first line what they have that no part is", async () => {
  const silent: string[] = [];
  for (const file of new Glob("*.css").scanSync("src/http/console/assets"))
    if (!/^\/\* [A-Z][^*]{20,} \*\/\n/.test(await Bun.file(`src/http/console/assets/${file}`).text()))
      silent.push(file);
  expect(silent).toEqual([]);
});

/** Classes that one element alone is written with, by why no part, no primitive of layout.css and no element is told by instead. A list that gets no longer. */
const ONCE: Readonly<Record<string, string>> = {
  "a part, or one of its pieces that stands where others of its kind stand": `
    foot prefixed menu-panel drawer-page news warn-card person-name people-tools bulk-result found-keys hours-row
    config-changes setup-steps sample-frame trail-entry trail-long settings-list setting-form ticket-sheets ticket-notes`,
  "its columns are wider or narrower than those of a primitive": "today-row setup-columns brand-columns",
  "one stroke among those of a drawing": "plot-zero plot-before plot-moment plot-spark",
  "a table with a layout of its own on a phone, and its cells": `
    up-cell package-cell said-cell result-cell hit-name hit-left router-rows staff-table of-kind of-factor of-last
    wide-words matrix-table import-table import-kinds import-open`,
  "a line of a paper, whose sheet the portal has too": "paper-more paper-amounts paper-sum paper-many",
  "a piece of a printed card, by which its millimetres are kept": `
    on-a4 with-two ticket-name ticket-words ticket-what ticket-more ticket-code ticket-line ticket-said ticket-qr
    ticket-price ticket-two`,
  "hidden while something else is chosen": "in-everything",
};

test("a class that is written once is known, with why", async () => {
  const count = new Map<string, number>();
  for (const file of new Glob("**/*.{ts,tsx,js}").scanSync("src/http")) {
    if (file.startsWith("words/")) continue;
    const texts = (await Bun.file(`src/http/${file}`).text()).matchAll(/"[^"\n]*"|`[^`]*`|'[^'\n]*'/g);
    for (const [text] of texts)
      for (const [word] of text.matchAll(/[A-Za-z][\w-]*/g)) count.set(word, (count.get(word) ?? 0) + 1);
  }
  const named = namedIn([consoleStyle, ...placed].map(({ text }) => text).join("\n"));
  const once = [...named].filter((name) => count.get(name) === 1);
  const known = Object.values(ONCE).flatMap((names) => names.trim().split(/\s+/));
  expect(once.toSorted()).toEqual(known.toSorted());
});
