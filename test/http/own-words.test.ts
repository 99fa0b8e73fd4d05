import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hotspotFiles } from "../../src/http/hotspot/files.ts";
import { dataFolderOf } from "../../src/domain/core/files/files.ts";
import { setting } from "../../src/domain/core/settings/settings.ts";
import { chooseLanguage, consoleLanguages, languages, portalWords } from "../../src/http/words/languages.ts";
import { loadMessages } from "../../src/http/words/messages.ts";
import { counts } from "../../src/http/words/compiled/messages.ts";
import { chapterFiles } from "../../src/http/words/models.ts";
import { inEnglish } from "../../src/http/words/own-faults.ts";
import { takeOwnWords } from "../../src/http/words/own.ts";
import { standings } from "../../src/http/words/standing.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let app: Tenants;
let site: ConsoleSite;
let folder: string;
beforeAll(async () => {
  app = await withTenants();
  folder = dataFolderOf(app.db);
  site = consoleSite(app);
});
afterEach(async () => {
  rmSync(join(folder, "words"), { recursive: true, force: true });
  await takeOwnWords(folder);
});
afterAll(async () => {
  await site.close();
  app[Symbol.dispose]();
});

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [file, entries] of Object.entries(files)) {
    const path = join(folder, "words", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof entries === "string" ? entries : JSON.stringify(entries));
  }
}

async function take(files: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  write(files);
  const { faults } = await takeOwnWords(folder);
  return faults.map(inEnglish);
}

async function pageOf(caller: string, path: string): Promise<string> {
  const cookie = await consoleSessionOf(site, caller);
  return await (await fetch(site.origin + path, { headers: { cookie } })).text();
}

test("an ISP's own word stands on its pages, escaped, and on no other's; one for all on those without", async () => {
  const faults = await take({
    "1/en/packages.json": { edit: "Edit the <b>plan</b>" },
    "en/packages.json": { edit: "Change", create: { defaultMessage: "Make", translation: "Make a plan" } },
  });
  expect(faults).toEqual([]);
  const [ofFirst, ofSecond] = await Promise.all(
    [callers.admin, callers.otherTenant].map((caller) => pageOf(caller, "/console/packages/1")),
  );
  expect(ofFirst).toContain("Edit the &lt;b&gt;plan&lt;/b&gt;");
  expect(ofSecond).not.toContain("plan&lt;");
  expect(loadMessages("en", "en", 1).packages).toMatchObject({
    edit: "Edit the <b>plan</b>",
    create: "Make a plan",
  });
  expect(loadMessages("en", "en-GB", 2).packages).toMatchObject({ edit: "Change", create: "Make a plan" });
});

test("a counted word of the portal and one of the router's own pages are used, until the files are gone", async () => {
  await take({
    "2/es/portal.json": { "home.total": "Suma" },
    "2/es/hotspot.json": { code: "Clave" },
    "es/today.json": { "online.count": "" },
  });
  expect([portalWords("es", "es", 2).home.total, portalWords("es").home.total]).toEqual(["Suma", "Total"]);
  const isp = 2;
  const text = () =>
    String(
      hotspotFiles(app.db, { ispId: isp, tag: "en" })?.find(({ name }) => name === "words-es.js")?.content,
    );
  expect(text()).toContain('"Clave"');
  rmSync(join(folder, "words"), { recursive: true });
  await takeOwnWords(folder);
  expect(text()).not.toContain('"Clave"');
});

test("what has a fault is told with file and key, and the built word stays", async () => {
  const faults = await take({
    "en/packages.json": {
      applied: "Some lines have the new terms.",
      created: "{name, plural, one {a} other {b}} is there",
      edit: "Ed\nit",
      editTitle: "Edit {who} {name}",
      enable: "Sell '{'",
      deleted: "{name",
      disabled: 7,
      constructor: "x",
    },
    "en/plans.json": {},
    "es/card.json": "{",
    "es/cards.json": "[]",
    "german/card.json": {},
    "1/xx/card.json": {},
  });
  expect(faults.map((fault) => fault.replace(/(not JSON|do not fit): .*/, "$1"))).toEqual([
    "1/xx: xx is neither a language of Gatehouse nor the number of an ISP",
    "german: german is neither a language of Gatehouse nor the number of an ISP",
    "en/packages.json, applied: The value count is missing in it",
    "en/packages.json, created: The value name is no number and cannot be counted",
    "en/packages.json, edit: It has a sign that is not text: \\n",
    "en/packages.json, editTitle: English has no value who there",
    "en/packages.json, enable: A straight apostrophe stands before a bracket, '{: write ’",
    "en/packages.json, deleted: Its brackets do not fit",
    "en/packages.json, disabled: What stands there is no text",
    "en/packages.json, constructor: English has no message of this name",
    "en/plans.json: No chapter is called plans.json: name the file as the export does",
    "es/card.json: The file is not JSON",
    "es/cards.json: The file is not JSON",
  ]);
  expect(loadMessages("en").packages.edit).toBe("Edit");
});

test.each([
  { tag: "tr", name: "Türkçe", dir: "ltr" },
  { tag: "fa", name: "فارسی", dir: "rtl" },
] as const)(
  "$tag, which is none of ours, is a language of the console and the portal by its files alone",
  async (language) => {
    const { tag, name, dir } = language;
    const files = [...chapterFiles().keys()].filter((file) => file !== "box.json");
    const all = Object.fromEntries(files.map((file) => [`${tag}/${file}`, {}] as const));
    expect(
      await take({
        ...all,
        [`${tag}/packages.json`]: { edit: "Own" },
        [`${tag}/portal.json`]: { "home.total": "Sum" },
      }),
    ).toEqual([]);
    expect(consoleLanguages()).toContainEqual(language);
    expect(standings().find((one) => one.language.tag === tag)).toMatchObject({
      translated: 2,
      own: 2,
      faults: 0,
    });
    const { packages } = loadMessages(tag);
    expect([packages.edit, packages.cancel]).toEqual(["Own", "Cancel"]);
    const portal = chooseLanguage(`${tag}-XX, en;q=0.5`).words;
    expect([portal.tag, portal.name, portal.dir, portal.home.total]).toEqual([tag, name, dir, "Sum"]);
    const page = await app.app.handle(
      new Request("http://localhost/console/sign-in", { headers: { "accept-language": `${tag};q=1` } }),
    );
    expect(await page.text()).toContain(`<html lang="${tag}" dir="${dir}"`);
    rmSync(join(folder, `words/${tag}/trail.json`));
    await takeOwnWords(folder);
    expect(consoleLanguages().map((one) => one.tag)).not.toContain(tag);
  },
);

test("a folder that cannot be read is a fault, beside which the others are read: a start does not end for it", async () => {
  write({ "en/packages.json": { edit: "Change" } });
  symlinkSync("/nowhere", join(folder, "words/es"));
  expect(await take({})).toEqual([expect.stringMatching(/^es: The file cannot be read: ENOENT/)]);
  expect(loadMessages("en").packages.edit).toBe("Change");
  rmSync(join(folder, "words"), { recursive: true });
  writeFileSync(join(folder, "words"), "");
  expect(await take({})).toEqual([expect.stringContaining("cannot be read: ENOTDIR")]);
});

test("Settings, Languages reads own words anew and says of each language how complete it is, and what is not used", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.operator);
  write({ "es/packages.json": { edit: "Cambiar", wrong: "x" }, "1/es/packages.json": { edit: "Plan" } });
  await visitor.goto("/console/settings/languages");
  expect(await visitor.text()).toContain("No own text has a fault.");
  await visitor.submit("form[action$='/languages/read'] button");
  const text = await visitor.text();
  expect(text).toContain("2 own texts are used");
  expect(text).toContain("One is not used.");
  expect(text).toContain("English has no message of this name.");
  const html = await pageOf(callers.operator, "/console/settings/languages");
  const row = (name: string) => {
    const [, cells = ""] = new RegExp(`<tr[^>]*>(?:(?!</tr>).)*${name}(.*?)</tr>`, "s").exec(html) ?? [];
    return [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, ""),
    );
  };
  const [all = ""] = row("English");
  expect(all).toMatch(/^([\d,]+) of \1$/);
  expect(row("Español").slice(1, 3)).toEqual(["2", "1"]);
  for (const { tag, name } of languages)
    expect([
      tag,
      Number(
        row(name)[0]
          ?.replace(/ of .*/, "")
          .replaceAll(",", ""),
      ),
    ]).toEqual([tag, counts[tag] ?? 0]);
});

test("that a language reads well is said by the operator, stands on its page and in the log, and is taken back", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.operator);
  await visitor.goto("/console/settings/languages");
  await visitor.submit("form[action$='/reads']:has(input[value='es']) button");
  expect(await visitor.text()).toContain("Reads well");
  expect(setting(app.db, "languages_read")).toBe("es");
  await visitor.goto("/console/me");
  expect(await visitor.text()).not.toContain("Español,");
  expect(await pageOf(callers.operator, "/console/trail")).toContain("Languages that read well");
  await visitor.goto("/console/settings/languages");
  await visitor.submit("form[action$='/reads']:has(input[value='es']) button");
  expect(setting(app.db, "languages_read")).toBe("");
  const refused = await PlainVisitor.signedIn(site, callers.admin);
  await refused.goto("/console/settings/languages");
  expect(await refused.heading()).not.toBe("Languages");
});
