import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { noteNatsCopy } from "../../src/domain/machine/backup/nats-copies.ts";
import { trialRecords } from "../../src/domain/machine/backup/trial-records.ts";
import { setBackupPassphrase } from "../../src/domain/machine/backup/passphrase.ts";
import { ok, warning } from "../../src/domain/machine/check/finding.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const BACKUPS = "/console/settings/backups";
const PASSPHRASE = "harbour lamp violet stone";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

async function world(): Promise<{ app: Tenants; site: ConsoleSite } & AsyncDisposable> {
  const app = await withTenants();
  const site = consoleSite(app);
  credit(app.db, by, { subscriberId: 1, amount: 5000 }, { now: app.clock.now });
  return {
    app,
    site,
    [Symbol.asyncDispose]: async () => {
      await app.backups.ended;
      await site.close();
      app[Symbol.dispose]();
    },
  };
}

const filesOf = ({ folder }: Tenants) => readdirSync(join(folder, "backups"));
const actions = ({ db }: Tenants) =>
  db.$client
    .query<{ action: string; actor: string }, []>(
      "SELECT action, actor FROM audit_entries WHERE entity = 'backup' ORDER BY id",
    )
    .all()
    .map(({ action, actor }) => `${action} ${actor}`);

/** Makes a backup and returns its name. */
async function make({ app }: { app: Tenants }): Promise<string> {
  const name = app.backups.make(by);
  await app.backups.ended;
  return name;
}

test("a backup is made and proven from the page, which tells it as it goes, and what is not in it", async () => {
  await using here = await world();
  const { app } = here;
  await using box = await ConsoleBrowser.signedIn(browser, here.site, callers.operator);
  const { page } = box;
  await box.goto(BACKUPS);
  expect(await box.text()).toContain("Not yet: there is no backup");
  await page.getByText("Make one now").click();
  await page.getByText("is made and verified").waitFor();
  expect(filesOf(app)).toHaveLength(1);

  app.clock.now += 600;
  takePayment(app.db, by, { subscriberId: 1, amount: 700, method: "cash" }, { now: app.clock.now });
  const prove = page.getByText("Prove it by a trial restore");
  await prove.click();
  await page.getByText("This backup restores 3 subscribers, ledger sums right").waitFor();
  const text = await box.text();
  expect(text).toContain("1 payment since is not in it");
  const row = await page.locator("#backup-work tr", { hasText: "Balances, USD" }).innerText();
  expect(row.split("\t")).toEqual(["Balances, USD", "350.00", "357.00", "+7.00"]);
  expect(trialRecords(app.folder)).toMatchObject([
    { name: filesOf(app)[0], fault: null, byPassphrase: false },
  ]);
  expect(readdirSync(app.folder).filter((name) => name.startsWith("trial-"))).toEqual([]);
  expect(actions(app)).toEqual(["backup.make box", "backup.try box"]);
  await page.getByText("Proven").first().waitFor();
  await box.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
  await page.setViewportSize({ width: 390, height: 844 });
  await box.expectToFit();
});

test("pages are answered while a backup is tried, and a second one waits for its turn", async () => {
  await using here = await world();
  const name = await make(here);
  here.app.backups.try(by, { name });
  expect(() => here.app.backups.make(by)).toThrow("is being tried");
  let answered = 0;
  while (here.app.backups.work) {
    const response = await fetch(`${here.site.origin}/healthz`);
    await response.body?.cancel();
    answered++;
  }
  expect(answered).toBeGreaterThan(1);
  expect(here.app.backups.last).toMatchObject({ kind: "try", trial: { faults: [] } });
});

test("a damaged backup is told, by keyboard and without a script too", async () => {
  await using here = await world();
  const name = await make(here);
  const file = join(here.app.folder, "backups", name);
  const half = Math.floor(readFileSync(file).length / 2);
  writeSync(openSync(file, "r+"), Buffer.alloc(40_960, 0x5a), 0, 40_960, half);
  await using box = await PlainVisitor.signedIn(here.site, callers.operator);
  const { page } = box;
  await box.goto(BACKUPS);
  await page.getByRole("link", { name: `Try to restore ${name}` }).click();
  await page.press("#passphrase", "Enter");
  await here.app.backups.ended;
  await box.goto(BACKUPS);
  const text = await box.text();
  expect(text).toContain(`${name} cannot be restored`);
  expect(text).toContain("damaged");
  expect(text).toContain("The newest backup that was tried cannot be restored");
  expect(trialRecords(here.app.folder)[0]?.fault).toContain("damaged");
});

test("a ledger that does not add up is no proof", async () => {
  await using here = await world();
  here.app.db.$client.run("DROP TRIGGER IF EXISTS ledger_entries_kept");
  const triggers = here.app.db.$client
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ledger_entries'",
    )
    .all();
  for (const { name } of triggers) here.app.db.$client.run(`DROP TRIGGER "${name}"`);
  here.app.db.$client.run("UPDATE ledger_entries SET balance_after = balance_after + 1");
  const name = await make(here);
  here.app.backups.try(by, { name });
  await here.app.backups.ended;
  expect(trialRecords(here.app.folder)[0]?.fault).toContain("ledger:");
});

test("the passphrase proves it for another machine; a wrong one is none of the backup", async () => {
  await using here = await world();
  const { app } = here;
  app.backups.try(by, { name: await make(here), passphrase: PASSPHRASE });
  await app.backups.ended;
  expect(app.backups.last).toMatchObject({ fault: expect.stringContaining("the key is not in this backup") });
  await setBackupPassphrase(app.db, by, { passphrase: PASSPHRASE, again: PASSPHRASE }, app.clock);
  app.clock.now += 60;
  const name = await make(here);
  app.backups.try(by, { name, passphrase: "some other passphrase" });
  await app.backups.ended;
  expect(app.backups.last).toMatchObject({ fault: expect.stringContaining("the passphrase is not the one") });
  expect(trialRecords(app.folder)).toEqual([]);
  app.backups.try(by, { name, passphrase: PASSPHRASE });
  await app.backups.ended;
  expect(trialRecords(app.folder)).toMatchObject([{ name, fault: null, byPassphrase: true }]);
  writeFileSync(join(app.folder, "secret.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  app.backups.try(by, { name });
  await app.backups.ended;
  expect(app.backups.last).toMatchObject({ fault: expect.stringContaining("under another key") });
});

test("a download asks for the password once more, is the file itself, and stands in the trail", async () => {
  await using here = await world();
  const { app } = here;
  const name = await make(here);
  await using box = await ConsoleBrowser.signedIn(browser, here.site, callers.operator, {
    acceptDownloads: true,
  });
  const { page } = box;
  await box.goto(BACKUPS);
  await page.getByRole("link", { name: `Download ${name}` }).click();
  await page.fill("#password", "guess");
  await box.submit(".drawer-foot .button");
  expect(await page.locator(".fault").innerText()).toBe("That is not your password.");
  expect(actions(app)).toEqual(["backup.make root"]);
  await page.fill("#password", "secret-1");
  const [taken] = await Promise.all([page.waitForEvent("download"), page.click(".drawer-foot .button")]);
  expect(taken.suggestedFilename()).toBe(name);
  const path = await taken.path();
  expect(readFileSync(path)).toEqual(readFileSync(join(app.folder, "backups", name)));
  expect(actions(app)).toEqual(["backup.make root", "backup.download box"]);
});

test("who does not see the whole box sees no backups; the Admin of its only ISP sees and proves them, and takes none away", async () => {
  await using here = await world();
  const { app, site } = here;
  const name = await make(here);
  const cookie = await consoleSessionOf(site, callers.admin);
  const ask = (path: string) => fetch(site.origin + path, { headers: { cookie }, redirect: "manual" });
  for (const path of [BACKUPS, `${BACKUPS}/try?name=${name}`, "/console/settings/appliance"])
    expect((await ask(path)).status).toBe(403);
  app.db.$client.run("PRAGMA foreign_keys = OFF");
  app.db.$client.run("DELETE FROM isps WHERE id = 2");
  const text = await (await ask(BACKUPS)).text();
  expect(text).toContain("Prove it by a trial restore");
  expect(text).not.toContain("/download");
  expect((await ask(`${BACKUPS}/download?name=${name}`)).status).toBe(403);
  expect((await ask("/console/settings/appliance")).status).toBe(200);
});

test("what is wrong with the folder is said in words, and a name leads to no other file", async () => {
  await using here = await world();
  const { app } = here;
  writeFileSync(join(app.folder, "file"), "");
  changeSetting(app.db, by, { key: "backup_folder", value: join(app.folder, "file/backups") }, app.clock);
  expect(() => app.backups.make(by)).toThrow("a part of the path is a file, not a folder");
  for (const name of ["../secret.key", "secret.key", "gatehouse.db"])
    expect(() => app.backups.try(by, { name })).toThrow("there is no backup");
  expect(existsSync(join(app.folder, "secret.key"))).toBe(true);
});

test("those at nats-server stand in the answer: none yet, the last one, why none can be put, and that it is old", async () => {
  await using here = await world();
  const { app } = here;
  await using box = await PlainVisitor.signedIn(here.site, callers.operator);
  const text = async () => {
    await box.goto(BACKUPS);
    return box.text();
  };
  await make(here);
  const value = { passphrase: PASSPHRASE, again: PASSPHRASE };
  await setBackupPassphrase(app.db, by, value, { now: app.clock.now });
  expect(await text()).not.toContain("nats-server");
  changeSetting(app.db, by, { key: "backup_to_nats", value: "true" }, app.clock);
  expect(await text()).toContain("On the machine of nats-server there is none yet.");
  noteNatsCopy(app.folder, { at: app.clock.now, bytes: 2_500_000 });
  const fine = await text();
  expect(fine).toContain("2.5 MB, sealed.");
  expect(fine).toContain("sudo gatehouse restore --from-nats\n");
  expect(fine).toContain("Yes, from the last backup"); // not on its disk alone
  noteNatsCopy(app.folder, { at: app.clock.now, fault: "nats-server is away; look after it" });
  const failing = await text();
  expect(failing).toContain("Yes, but not by the copies in NATS");
  expect(failing).toContain(
    "None can be put on the machine of nats-server. Nats-server is away; look after it.",
  );
  noteNatsCopy(app.folder, { at: app.clock.now - 4 * 3600, bytes: 2_500_000 });
  expect(await text()).toContain("One is due there each hour");
});

test("the appliance says what a page mends in its words, with the way there, and the rest as a terminal does", async () => {
  using app = await withTenants({
    findings: () => [
      warning("backup key", "without secret.key; run: gatehouse backup-passphrase", "backup_key", {}),
      ok("disk", "80 GB are free"),
    ],
  });
  const site = consoleSite(app);
  const cookie = await consoleSessionOf(site, callers.operator);
  const answer = await fetch(`${site.origin}/console/settings/appliance`, { headers: { cookie } });
  const html = await answer.text();
  await site.close();
  expect(html).toContain("Backups do not hold the key");
  expect(html).toMatch(/<a [^>]*href="\/console\/settings\/backups[^"]*"[^>]*><span>Set a passphrase/);
  expect(html).not.toContain("gatehouse backup-passphrase");
  expect(html).toContain("80 GB are free");
});

test("the appliance says what runs, what is wrong with what to do, and when its certificate ends", async () => {
  await using here = await world();
  await using box = await PlainVisitor.signedIn(here.site, callers.operator);
  await box.goto("/console/settings/appliance");
  const text = await box.text();
  for (const words of [
    "Gatehouse 1.2.3",
    "0.0.0.0:1812",
    "Not open",
    "in 20 days",
    "It ends within 30 days",
    "isp.example",
  ])
    expect(text).toContain(words);
  await box.submit("a[href$=licences]");
  expect(await box.text()).toContain("By others.");
  expect(await box.text()).not.toContain("The MIT License");
  await box.submit('a:text-is("thing 1.0, MIT")');
  expect(await box.page.innerText("pre")).toBe("https://thing.example\n\nThe MIT License");
});
