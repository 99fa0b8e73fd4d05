import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { write } from "../../db/open.ts";
import { audit } from "../../src/domain/core/audit/audit.ts";
import { auditPage, auditLog } from "../../src/domain/core/audit/audit-log.ts";
import { isEventType } from "../../src/domain/core/events/types.ts";
import { LiveFeed } from "../../src/domain/service/live/feed.ts";
import { updatePackage } from "../../src/domain/goods/packages/packages.ts";
import { placeKinds } from "../../src/domain/people/places/kinds.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { LiveStreams } from "../../src/http/console/live/streams.ts";
import { listChanges, valueWords } from "../../src/http/console/parts/audit-log-changes.ts";
import { Format } from "../../src/http/pages/format.ts";
import { en } from "../support/words.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSessionOf, consoleSite, soon } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, fillTenants } from "../support/tenants.ts";
import { temporaryApp } from "../support/http.ts";
import { NOW, templateStore } from "../support/store.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const boss = {
  ...by,
  staffId: 1,
  name: "ada",
  source: "192.0.2.7",
  scope: { ispId: 1, branchId: null, salespersonId: null },
};
const south = { ...boss, staffId: 8, name: "sue", scope: { ...boss.scope, ispId: 2 } };

const stores = templateStore(async (db) => {
  await fillTenants(db);
  takePayment(db, boss, { subscriberId: 1, amount: 5000, method: "cash" }, { now: NOW - 500 });
  activate(db, boss, { subscriberId: 1, packageId: 2 }, { now: NOW - 400 });
  updatePackage(db, boss, { id: 1, input: { price: "23.50" } }, { now: NOW - 300 });
  const note = { action: "subscriber.note", entity: "subscriber", ispId: 1 } as const;
  write(db, (tx) => {
    const long = "Ring twice. ".repeat(40);
    audit(tx, boss, NOW - 200, {
      ...note,
      entityId: 2,
      before: { global_note: "" },
      after: { global_note: long },
    });
    const odd = { shape: { deep: [{ a_b: 1 }, "two"] }, wifi_password: "hush-hush" };
    audit(tx, south, NOW - 100, {
      action: "thing.turn",
      entity: "thing",
      entityId: "x",
      ispId: 2,
      after: odd,
    });
  });
});

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

async function stand() {
  const store = await stores();
  const feed = new LiveFeed(store.db);
  const streams = new LiveStreams(feed);
  const site = consoleSite(temporaryApp({ streams }, store));
  return {
    store,
    feed,
    site,
    get: async (path: string, as = callers.admin) => {
      const cookie = await consoleSessionOf(site, as);
      const response = await fetch(site.origin + path, { headers: { cookie }, redirect: "manual" });
      return { status: response.status, text: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      streams.close();
      await site.close();
      store[Symbol.dispose]();
    },
  };
}

const spaced = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/\s+/g, " ").trim());

async function opened(path: string, options: BrowserContextOptions = {}) {
  const it = await stand();
  const visitor = await ConsoleBrowser.signedIn(browser, it.site, callers.admin, options);
  await visitor.goto(path);
  const { page } = visitor;
  return {
    ...it,
    page,
    visitor,
    said: async () => {
      await page
        .locator(".trail-entry > details")
        .evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
      return spaced(await page.locator(".trail-entry").allInnerTexts());
    },
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]();
      await it[Symbol.asyncDispose]();
    },
  };
}

/** The same without a script. */
async function plain(path: string, account = callers.admin) {
  const it = await stand();
  const visitor = await PlainVisitor.signedIn(it.site, account);
  await visitor.goto(path);
  const { page } = visitor;
  const said = async () => {
    for (const one of await page.locator(".trail-entry > details:not([open]) > summary").all())
      await one.click();
    return spaced(await page.locator(".trail-entry").allInnerTexts());
  };
  return { ...it, page, visitor, said };
}

/** Who puts the name of an action together from what it is about: all of those, which no text of the code names. */
const verbs = ["create", "update", "delete"] as const;
const named: Readonly<Record<string, readonly string[]>> = {
  "people/places/places.ts": placeKinds.flatMap((kind) => verbs.map((verb) => `${kind}.${verb}`)),
  "goods/packages/packages.ts": [...verbs, "enable", "disable"].map((verb) => `package.${verb}`),
  "around/messages/outbox-many.ts": ["message.again_many", "message.cancel_many"],
  "core/audit/audit.ts": [], // by `entryOf`, with the noun and verbs of who calls it
};

/** The files of the domain that write entries, by their path. */
async function auditingFiles(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of new Glob("**/*.ts").scanSync("src/domain")) {
    const text = await Bun.file(`src/domain/${path}`).text();
    if (/\b(audit\w*|changeMacColumns)\(/.test(text)) found.set(path, text);
  }
  return found;
}

/** Every action that the code writes: by its name, and those whose name is put together; and every kind of thing. */
async function writtenActions(): Promise<{ actions: Set<string>; entities: Set<string> }> {
  const files = await auditingFiles();
  const entities = new Set<string>(placeKinds);
  for (const text of files.values())
    for (const [, entity = ""] of text.matchAll(/(?:entity: |auditEntry\()"([a-z_]+)"/g))
      entities.add(entity);
  const nouns = [...new Set([...entities, ...Object.keys(en.trail.entities)])].join("|");
  const actions = new Set<string>();
  for (const [path, text] of files) {
    for (const [, action = ""] of text.matchAll(/action: "([a-z_]+\.[a-z_]+)"/g)) actions.add(action);
    for (const [, action = ""] of text.matchAll(new RegExp(`(?<!equal\\()"((?:${nouns})\\.[a-z_]+)"`, "g")))
      // what others hear of by its type is no entry
      if (!isEventType(action)) actions.add(action);
    for (const action of named[path] ?? puttingTogether(path, text)) actions.add(action);
  }
  return { actions, entities };
}

/** The actions of a file whose `entry(row, "verb")` makes `noun.verb` of it, often by `auditEntry("noun")`. Throws where one cannot be told. */
function puttingTogether(path: string, text: string): string[] {
  const made = [
    ...[...text.matchAll(/action: `([^`]*)`/g)].map(([, action = ""]) => action),
    ...[...text.matchAll(/= auditEntry\("([a-z_]+)"\)/g)].map(([, noun = ""]) => `${noun}.\${what}`),
  ];
  return made.flatMap((action) => {
    const noun = /^([a-z_]+)\.\$\{what\}$/.exec(action)?.[1];
    const calls = [...text.matchAll(/(?<!function )\b(?:entry|auditOf)\(((?:\{[^}]*\}|[^()])*)\)/g)];
    const rows = calls.map(([, value = ""]) =>
      [...value.replaceAll(/\{[^}]*\}/g, "").matchAll(/"([a-z_]+)"/g)].map(
        ([, verb = ""]) => `${noun}.${verb}`,
      ),
    );
    if (noun === undefined || rows.length === 0 || rows.some((verbs) => verbs.length === 0))
      throw new Error(`${path} puts ${action} together in a way of its own; name its actions in this test`);
    return rows.flat();
  });
}

describe("words", () => {
  test("every action that the code writes has a sentence, and its kind of thing a name", async () => {
    const { actions, entities } = await writtenActions();
    expect(actions.size).toBeGreaterThan(130);
    expect([...actions].filter((action) => en.trail.actions[action] === undefined)).toEqual([]);
    expect([...entities].filter((entity) => en.trail.entities[entity] === undefined)).toEqual([]);
  });

  const view = { format: new Format("en-GB"), words: en } as Parameters<typeof valueWords>[0];
  const names = new Map([["package 2", "Post"]]);
  const cases: [field: string, value: unknown, words: string][] = [
    ["price", "23.50", "23.50"],
    ["credit_limit", -45, "\u221245.00"],
    ["expiration", "2030-01-15 12:00:00", "15 Jan 2030, 12:00"],
    ["archived_at", NOW, "15 Jan 2030, 12:00"],
    ["data_quota_bytes", 5_000_000_000, "5 GB"],
    ["package_id", 2, "Post"],
    ["package_id", 7, "7, which is gone"],
    ["auto_renew", 1, "yes"],
    ["status", 0, "disabled"],
    ["swap_octets", true, "yes"],
    ["note", "", "–"],
    ["password", "pw-1", "not shown"],
    ["portal_password", "set", "set"],
    ["passwords", 12, "12"],
    ["routeros.api_secret", "hush", "not shown"],
    ["answers", [{ kind: "gone", token: "t" }, 3], "kind gone, token …; 3"],
  ];
  test.each(cases)("%s %o is told as %s", (field, value, words) => {
    expect(valueWords(view, { field, value, action: "x.y", names })).toBe(words);
  });

  test("fields within others have their own lines, and say whether they changed", () => {
    const before = JSON.stringify({ name: "core", routeros: { host: "10.0.0.1", port: 1 }, left: 2 });
    const after = JSON.stringify({ name: "core", routeros: { host: "10.0.0.2", port: 1 } });
    expect(listChanges({ before, after }).map(({ field, isSame }) => [field, isSame])).toEqual([
      ["name", true],
      ["routeros.host", false],
      ["routeros.port", true],
      ["left", false],
    ]);
    const none = {
      before: JSON.stringify({ a: 1, routeros: null }),
      after: JSON.stringify({ a: 1, routeros: { host: "x" } }),
    };
    expect(listChanges(none).map(({ field, isSame }) => [field, isSame])).toEqual([
      ["a", true],
      ["routeros", true],
      ["routeros.host", false],
    ]);
  });
});

test("each change says when, who, from where, and what; before and after stand side by side", async () => {
  await using it = await plain("/console/trail");
  const text = await it.said();
  const changed = text.find((one) => one.includes("Changed the package"));
  expect(changed).toStartWith(
    "Changed the package Home 1 11:55 · Ada · 192.0.2.7 Details Field Before After Price ",
  );
  expect(changed).toContain("23.50");
  expect(changed).toMatch(/\d+ fields stayed/);
  const sold = text.find((one) => one.startsWith("Activated a package"));
  expect(sold).toContain("Package Home 1 Post");
  expect(text.some((one) => one.includes("thing turn"))).toBe(false); // another ISP's
  const entry = it.page.locator(".trail-entry", { hasText: "Changed the package" });
  expect(await entry.locator(".trail-was").count()).toBe(1);
  expect(await entry.locator("a").first().getAttribute("href")).toBe("/console/packages/1");
  // a long text is cut, and there as a whole
  const note = it.page.locator(".trail-entry", { hasText: "standing note" });
  expect(await note.locator("details bdi").last().isVisible()).toBe(false);
  await note.locator(".trail-long summary").click();
  expect(await note.locator("details bdi").last().innerText()).toHaveLength(479);
});

test("what nobody foresaw stands as keys and values, and a secret is not shown even there", async () => {
  await using it = await plain("/console/trail", callers.otherTenant);
  const odd = (await it.said()).find((one) => one.startsWith("thing turn no. x"));
  expect(odd).toContain("shape deep a b 1; two");
  expect(odd).toContain("wifi password not shown");
  expect(await it.page.content()).not.toContain("hush-hush");
});

test("without a script it is narrowed by fields, and by pressing who, from where or what", async () => {
  await using it = await plain("/console/trail");
  const { page, visitor } = it;
  await page.selectOption("#pill-action", "package.update");
  await visitor.submit(".filters button");
  expect(await it.said()).toHaveLength(1);
  await visitor.submit("text=Clear filters");
  await visitor.submit(".trail-entry a:has-text('192.0.2.7') >> nth=0");
  expect(page.url()).toContain("source=192.0.2.7");
  await visitor.submit(".trail-entry .hint a:has-text('Ada') >> nth=0");
  expect(page.url()).toContain("staff_id=1");
  expect((await it.said()).every((one) => one.includes("Ada · 192.0.2.7"))).toBe(true);
  await visitor.goto("/console/trail?from=tomorrow");
  expect(await page.locator("[role=alert]").innerText()).toStartWith("From: ");
  await visitor.goto("/console/trail?action=role.delete");
  expect(await page.locator(".empty h2").innerText()).toBe(en.list.none);
});

test("with a script a choice is shown at once, by the keyboard too", async () => {
  await using it = await opened("/console/trail");
  const { page } = it;
  await page.focus("#pill-entity");
  const answered = page.waitForResponse((one) => one.url().includes("entity=package"));
  await page.selectOption("#pill-entity", "package");
  await answered;
  expect(await soon(async () => (await it.said()).length === 1)).toBe(true);
  expect(page.url()).toContain("entity=package");
  expect(await page.evaluate("document.activeElement.id")).toBe("pill-entity");
  expect(it.visitor.complaints).toEqual([]);
});

test("a subscriber and a package lead to their own trail, which says whose it is", async () => {
  await using it = await plain("/console/subscribers/1");
  await it.visitor.submit("#timeline a:text-is('Trail')");
  expect(it.page.url()).toEndWith("/console/trail?entity=subscriber&entity_id=1");
  expect(await it.visitor.heading()).toMatch(/^Trail of /);
  expect((await it.said()).every((one) => one.startsWith("Activated a package"))).toBe(true);
  await it.visitor.goto("/console/packages/1");
  await it.page.click(".card a:text-is('Trail')");
  expect(await it.visitor.heading()).toBe("Trail of Home 1");
});

test("what is older is a press away, by the id of the last one; where nothing matches for long, further back", async () => {
  await using it = await plain("/console/trail");
  write(it.store.db, (tx) => {
    for (let n = 0; n < 70; n++)
      audit(tx, boss, NOW, { action: "subscriber.enable", entity: "subscriber", entityId: 1, ispId: 1 });
  });
  await it.visitor.goto("/console/trail?entity=subscriber");
  const seen = new Set<string>();
  for (;;) {
    const found = await it.page.locator(".trail-entry, .trail-entry [data-entry]").all();
    const ids = await Promise.all(
      found.map(
        async (one) =>
          (await one.getAttribute("data-entry")) ?? (await one.getAttribute("id"))?.slice(6) ?? "",
      ),
    );
    for (const id of ids) seen.add(id);
    if ((await it.page.locator("a[rel=next]").count()) === 0) break;
    await it.visitor.submit("a[rel=next]");
  }
  expect(seen.size).toBe(72);
  it.store.db.$client.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20500)
     INSERT INTO audit_entries (at, isp_id, actor, source, action, entity, entity_id) SELECT ${NOW}, 1, 'x', 'cli', 'metrics.refuse', 'metrics', 'scrape' FROM n`,
  );
  const far = auditPage(
    it.store.db,
    boss,
    { action: "package.update" },
    { limit: 5, before: Number.MAX_SAFE_INTEGER },
  );
  expect([far.rows, far.older]).toEqual([[], expect.any(Number)]);
  const next = auditPage(
    it.store.db,
    boss,
    { action: "package.update" },
    { limit: 5, before: far.older ?? 0 },
  );
  expect([next.rows.length, next.older]).toEqual([1, null]);
  for (const range of [
    { to: NOW - 250 },
    { from: NOW - 350, to: NOW - 150 },
    { from: NOW - 150, to: NOW + 9 },
    { to: 1 },
  ]) {
    const whole = auditLog(it.store.db, boss, range, { limit: 50, before: Number.MAX_SAFE_INTEGER });
    const paged = auditPage(it.store.db, boss, range, { limit: 50, before: Number.MAX_SAFE_INTEGER });
    expect(paged.rows).toEqual(whole);
  }
});

test("the file is the API's of the same filters", async () => {
  await using it = await stand();
  const { text } = await it.get("/console/trail.csv?entity=subscriber");
  const answer = await fetch(`${it.site.origin}/api/v1/audit/list?entity=subscriber`, {
    headers: { authorization: `Basic ${btoa(callers.admin)}`, accept: "text/csv" },
  });
  expect(text).toBe(await answer.text().then((file) => file.replace(/^\ufeff/, "")));
  expect(text.split("\r\n")).toHaveLength(4);
});

test("what changes meanwhile comes by itself, and waits while somebody reads further down", async () => {
  await using it = await opened("/console/trail", { viewport: { width: 1440, height: 240 } });
  const { page, feed, store } = it;
  const change = async () => {
    await page.evaluate(
      "document.querySelectorAll('[data-live]').forEach((part) => (part.dataset.every = '0'))",
    );
    const of = { action: "role.update", entity: "role", entityId: 1, ispId: 1 } as const;
    write(store.db, (tx) => audit(tx, boss, NOW, { ...of, before: { name: "A" }, after: { name: "B" } }));
    feed.flush();
  };
  expect(await soon(async () => feed.viewers > 0)).toBe(true);
  await change();
  await page.locator(".trail-entry >> text=Renamed the role").first().waitFor();
  await page.evaluate("scrollTo({ top: 300 })");
  await change();
  await page.locator(".news:visible").waitFor();
  expect((await page.locator(".news").innerText()).replaceAll(/\s+/g, " ").trim()).toBe("1 new");
  expect(await page.locator(".trail-entry >> text=Renamed the role").count()).toBe(1);
  await page.click(".news");
  // the same again is one line that says how often
  await page.locator(".trail-entry", { hasText: "Renamed the role" }).locator("text=2×").waitFor();
  expect(await page.locator(".trail-entry >> text=Renamed the role").count()).toBe(1);
});

test("it is nobody's but who sees the whole ISP and has the flag, and the way there is hidden from others", async () => {
  await using it = await stand();
  for (const account of [callers.branch, callers.reseller, callers.noFlag]) {
    expect((await it.get("/console/trail", account)).status).toBe(403);
    expect((await it.get("/console", account)).text).not.toContain('href="/console/trail"');
  }
  // of a row of another ISP no name is told
  expect(
    (await it.get("/console/trail?entity=subscriber&entity_id=1", callers.otherTenant)).text,
  ).not.toContain("Trail of User");
});

test("an entry leads to the account, role, place or move that it is about; an account's page has its words", async () => {
  await using it = await stand();
  const about = [
    ["staff.update", "staff", 2, "/console/settings/staff/2"],
    ["role.update", "role", 1, "/console/settings/roles/1"],
    ["area.update", "area", 1, "/console/settings/places"],
    ["data.move", "move", 7, "/console/settings/import/moves/7"],
    ["nas.set", "nas", 1, "/console/routers/1"],
  ] as const;
  for (const [action, entity, entityId] of about)
    write(it.store.db, (tx) =>
      audit(tx, { ...boss, staffId: 2 }, NOW, { action, entity, entityId, ispId: 1 }),
    );
  const { text } = await it.get("/console/trail");
  for (const [, , , href] of about) expect(text).toContain(`href="${href}"`);
  const account = await it.get("/console/settings/staff/2");
  expect(account.text).toContain("Changed the router ");
  expect(account.text).not.toContain("nas.set");
  expect(account.text).toContain('href="/console/trail?staff_id=2"');
  expect((await it.get("/console/trail?staff=2")).text).toContain("Changed the router ");
});

test("a permission and a setting that were changed are called as on their own pages", async () => {
  await using it = await stand();
  write(it.store.db, (tx) => {
    audit(tx, boss, NOW, {
      action: "role.permissions",
      entity: "role",
      entityId: 1,
      ispId: 1,
      before: { payment_take: 0 },
      after: { payment_take: 1 },
    });
    audit(tx, boss, NOW, {
      action: "setting.change",
      entity: "setting",
      entityId: "tax_name",
      ispId: 1,
      before: { tax_name: "" },
      after: { tax_name: "VAT" },
    });
  });
  const text = (await it.get("/console/trail")).text.replaceAll(/<[^>]*>/g, " ");
  expect(text).toContain(en.team.flags.payment_take.does);
  expect(text).toContain(en.settings.words.tax_name.name);
  expect(text).not.toMatch(/payment_take|tax_name/);
  const titleOf = async (about: string) =>
    /<h1>(.*?)<\/h1>/.exec((await it.get(`/console/trail?${about}`)).text)?.[1];
  expect(await titleOf("entity=setting&entity_id=tax_name")).toBe("Trail of setting Name of the tax");
  expect(await titleOf("entity=setup&entity_id=backup_passphrase")).toBe(
    `Trail of first start “${en.start.backup_passphrase.title}”`,
  );
});
