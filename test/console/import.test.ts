import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { loadRuns, namesIn, runsFolder } from "../../src/domain/machine/imports/runs/run.ts";
import type { SpawnMove } from "../../src/domain/machine/imports/runs/process.ts";
import { movingProcesses } from "../../src/jobs/import-process.ts";
import { program } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { UPLOAD_LIMIT } from "../support/http.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const IMPORT = "/console/settings/import";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
const processes = movingProcesses([program]);
let spawn: SpawnMove = processes;
const folder = mkdtempSync(join(tmpdir(), "import-"));

beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants({ spawn: (...work) => spawn(...work) })]);
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** A table as Zal Pro has it, of which three rows cannot come, and one cell is a formula. */
function zalPro(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const row = index + 1;
    const expiry =
      row % 700 === 0 ? "31 Foo 2031" : `${String((row % 28) + 1).padStart(2, "0")} Jan 2031 23:59`;
    const name = row === 1 ? `"=HYPERLINK(""http://x"",""<b>y</b>"")"` : `"Person, ${row}"`;
    const password = row % 100 === 0 ? "" : `pw-${row}`;
    const username = row === 5 ? "" : `zal${row}`;
    return `${name},N-${row},0300${1_000_000 + row},${username},${password},${(row % 2) + 1},${expiry},${12 + (row % 2)},,,,42`;
  });
  const headers =
    "Full Name,Identity Number,Mobile Number,User Name,Password,Connection Type,Expiration Date,Package Id,Nas Id,Static Ip,Mac Address,Shoe Size";
  return `${headers}\r\n${lines.join("\r\n")}\r\n`;
}

function written(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const count = (sql: string) =>
  app.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
const uploads = () => namesIn(runsFolder(app.folder)).filter((name) => !name.startsWith("map-"));

async function admin(options = {}): Promise<ConsoleBrowser> {
  return ConsoleBrowser.signedIn(browser, site, callers.admin, options);
}

async function uploadIn({ page }: ConsoleBrowser, file: string | string[]): Promise<void> {
  await page.goto(`${site.origin}${IMPORT}/new/csv`);
  await page.setInputFiles("#files", file);
  await page.click("button.solid");
}

test("a table of 1,100 comes in: columns, the try with every fault, the move, the passwords, the undoing", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  await page.goto(`${site.origin}/console/settings/import`);
  await page.locator(".card-links a", { hasText: "Zal Pro" }).click();
  await page.getByText("How to get the file").waitFor();
  await page.setInputFiles("#files", written("zal.csv", zalPro(1100)));
  await page.click("button.solid");

  await page.getByRole("heading", { name: "What the columns become" }).waitFor();
  expect(await page.locator("select[name='column.0.3']").inputValue()).toBe("username");
  expect(await page.locator("select[name='column.0.11']").inputValue()).toBe("");
  expect(await page.content()).not.toContain("pw-1");
  await page.getByText("What names and numbers mean").click();
  await page.fill("textarea[name='packages']", "12 = Home Ten");
  await page.getByRole("button", { name: "Try it" }).click();

  await page.getByRole("heading", { name: "What would come" }).waitFor();
  expect(count("subscribers WHERE username LIKE 'zal%'")).toBe(0);
  expect(await page.locator(".verdict").innerText()).toContain("1,098 subscribers can be brought in");
  const notices = await page.locator("#told").innerText();
  expect(notices).toContain('column "Expiration Date": "31 Foo 2031" is no date that can be read');
  expect(notices).toContain("zal.csv, line 701");
  expect(notices).toContain("there is no username in this row");
  expect(await page.locator("main").innerText()).toContain("Home Ten");
  expect(await page.locator("#people").innerText()).toContain('=HYPERLINK("http://x","<b>y</b>")');
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "All as CSV" }).click(),
  ]);
  const csv = await Bun.file(await file.path()).text();
  expect(csv).toContain("Could not come,zal.csv,701,zal700,");
  await page.goto(page.url().replace(/#.*/, "")); // a reload changes nothing

  await page.getByRole("button", { name: "Bring in 1,098 subscribers" }).click();
  await page.getByText("What to do now").waitFor();
  expect(count("subscribers WHERE username LIKE 'zal%' AND archived_at IS NULL")).toBe(1098);
  expect(count("services JOIN subscribers ON id = subscriber_id WHERE username LIKE 'zal%'")).toBe(1098);

  await page.fill("#password", "wrong");
  await page.getByRole("button", { name: "Fetch the list" }).click();
  await page.getByText("That is not your password.").waitFor();
  await page.fill("#password", "secret-1");
  const [list] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Fetch the list" }).click(),
  ]);
  const passwords = await Bun.file(await list.path()).text();
  expect(passwords.trim().split("\r\n")).toHaveLength(11);
  expect(passwords).toContain("zal100,");
  await page.reload();
  expect(await page.getByText("List of new passwords").count()).toBe(0);

  await page.getByRole("link", { name: "Its report, and undo" }).click();
  await page.getByRole("link", { name: "Undo this move" }).click();
  await page.fill("#confirm", "1");
  await page.getByRole("button", { name: "Undo this move" }).click();
  await page.getByText("That is not the number.").waitFor();
  app.db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, nas_ip, mac, framed_ip, started_at, updated_at)
     SELECT 1, '127.0.0.1', 'S-z', username, id, '192.0.2.1', 'AA:BB:CC:DD:EE:01', '10.0.0.8', ${app.clock.now - 60}, ${app.clock.now}
     FROM subscribers WHERE username = 'zal7'`,
  );
  await page.fill("#confirm", "1098");
  await page.getByRole("button", { name: "Undo this move" }).click();
  await page.getByText("1,097 subscribers were archived").waitFor();
  expect(await page.locator("main").innerText()).toContain("has been online here");
  expect(count("subscribers WHERE username LIKE 'zal%' AND archived_at IS NULL")).toBe(1);
});

test("without a script: the upload, the columns, the try, the move", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = visitor;
  const few = "login;clave;nombre;vence;plan\nfew1;p1;Ana;03/04/2031;Casa\nfew2;p2;Eva;05/06/2031;Casa\n";
  await visitor.goto(`${IMPORT}/new/csv`);
  await page.setInputFiles("#files", { name: "few.csv", mimeType: "text/csv", buffer: Buffer.from(few) });
  await visitor.submit("button.solid");
  const again = async (heading: string) => {
    while ((await page.getByRole("heading", { name: heading }).count()) === 0) {
      await Bun.sleep(20);
      await page.goto(page.url());
    }
  };
  await again("What the columns become");
  expect(await page.locator("main").innerText()).toContain("Nothing in the file says which is first.");
  await page.selectOption("#dates-0", "mdy");
  await page.selectOption("select[name='column.0.0']", "");
  await visitor.submit("button.solid");
  expect(await page.locator("[role=alert]").innerText()).toContain("No column is the username");
  await page.selectOption("#dates-0", "mdy");
  await visitor.submit("button.solid");
  await again("What would come");
  expect(await page.locator("#people").innerText()).toContain("4 Mar 2031");
  await page.getByRole("button", { name: "Bring in 2 subscribers" }).click();
  await again("What to do now");
  expect(count("subscribers WHERE username LIKE 'few%'")).toBe(2);
});

test("a sheet with words that nobody knows waits for what they mean, and families keep their numbers", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.operator);
  const { page } = visitor;
  const sheet = `Usuario;Clave;Nombre;Telephone;Plan;Vence;Situation
word1;pw-1;Ana;0300 777001;Casa;31/12/2031;Zafado
word2;pw-2;Eva;0300 777001;Casa;31/12/2031;Fino
word3;pw-3;Leo;0300 777003;Casa;31/12/2031;Activo
`;
  await uploadIn(visitor, written("words.csv", sheet));
  const heading = (name: string) => page.getByRole("heading", { name, exact: true }).first().waitFor();
  await heading("What the columns become");
  expect(await page.getByText("Who gets in", { exact: true }).count()).toBe(0);
  await page.getByLabel("Becomes: Situation").selectOption("status");
  await page.getByRole("button", { name: "Try it" }).click();

  // the column was looked at again, and its words are asked for
  await heading("Who gets in");
  await page.getByLabel("“Zafado” in Situation, 1 row").selectOption("off");
  await page.getByRole("button", { name: "Try it" }).click();
  await heading("Say first who gets in");
  expect(await page.getByRole("button", { name: /^Bring in/ }).count()).toBe(0);
  expect(await page.getByText('"Fino" (1 row): do they get in').count()).toBe(1);
  await page.getByRole("link", { name: "Say what they mean" }).click();
  const fino = page.getByLabel("“Fino” in Situation, 1 row");
  expect(await page.getByLabel("“Zafado” in Situation, 1 row").inputValue()).toBe("off");
  await fino.selectOption("on");
  await page.getByRole("button", { name: "Try it" }).click();

  await heading("What would come");
  await page.getByText("mobile_number 0300 777001 is word1's").waitFor();
  await page.getByLabel("Families share numbers").check();
  await page.getByRole("button", { name: "Try it so" }).click();
  await page.getByText("mobile_number 0300 777001 is word1's").waitFor({ state: "detached" });
  expect(await page.getByLabel("Families share numbers").isChecked()).toBe(true);
  // what is ticked and not tried is tried first
  await page.getByLabel("Who is new renews by itself").check();
  await page.getByRole("button", { name: "Bring in 3 subscribers" }).click();
  await page.locator("[name=auto_renew][checked]").waitFor();
  expect(count("subscribers WHERE username LIKE 'word%'")).toBe(0);
  await page.getByRole("button", { name: "Bring in 3 subscribers" }).click();
  await page.getByText("What to do now").waitFor();
  const rows = app.db.$client
    .query(
      "SELECT username, mobile_number, status, auto_renew FROM subscribers WHERE username LIKE 'word%' ORDER BY username",
    )
    .all();
  expect(rows).toEqual([
    { username: "word1", mobile_number: "0300 777001", status: 0, auto_renew: 1 },
    { username: "word2", mobile_number: "0300 777001", status: 1, auto_renew: 1 },
    { username: "word3", mobile_number: "0300 777003", status: 1, auto_renew: 1 },
  ]);
  app.db.$client.run("DELETE FROM settings WHERE key = 'unique_contacts'");
});

test("the second run of a newer file brings what changed there", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  const run = async (table: string) => {
    await uploadIn(visitor, written("twice.csv", table));
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByRole("heading", { name: "What would come" }).waitFor();
    const text = await page.locator("main").innerText();
    await page.locator(".verdict button.solid").click();
    await page.getByText("What to do now").waitFor();
    return text;
  };
  await run("Login,Password,Name,Package,Expiry\ntwo1,p,Ann,Home,2031-01-31\ntwo2,p,Bob,Home,2031-01-31\n");
  const output = await run(
    "Login,Password,Name,Package,Expiry\ntwo1,p,Anna,Home,2031-01-31\ntwo2,p,Bob,Home,2031-01-31\n",
  );
  expect(output).toContain("1 subscriber can be brought in");
  expect(app.db.$client.query("SELECT name FROM subscribers WHERE username = 'two1'").get()).toEqual({
    name: "Anna",
  });
});

test.each<[string, string | Uint8Array, string]>([
  ["book.xlsx", new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), "save it as CSV"],
  ["cut.csv", 'Login,Name\nsam,"x\n', "a quotation mark is opened there and never closed"],
  ["shoes.csv", "\0\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\u000e\u000f", "is no text"],
])("%s is refused in words, and can be removed", async (name, content, words) => {
  await using visitor = await admin();
  const { page } = visitor;
  await uploadIn(visitor, written(name, content));
  await page.getByText("It did not work, and nothing was brought in").waitFor();
  expect(await page.locator("main").innerText()).toContain(words);
  const before = uploads().length;
  await page.getByRole("button", { name: "Remove the files" }).click();
  await page.getByText("The files were removed").waitFor();
  expect(uploads()).toHaveLength(before - 1);
});

/** Sends a form as a program would. */
async function post(
  path: string,
  {
    account = callers.admin,
    token,
    name = "x.csv",
    content = "Login\nx\n",
  }: { account?: string; token?: string; name?: string; content?: string },
) {
  const cookie = await consoleSessionOf(site, account);
  const home = await fetch(`${site.origin}${IMPORT}/new/csv`, { headers: { cookie } });
  const own = /name="form_token" value="([^"]+)"/.exec(await home.text())?.[1] ?? "";
  const form = new FormData();
  form.append("form_token", token ?? own);
  form.append("files", new File([content], name));
  const headers = { cookie, origin: site.origin };
  return fetch(site.origin + path, { method: "POST", body: form, headers, redirect: "manual" });
}

test("uploads that are too large, of another session, of another role, or with a path in their name", async () => {
  const before = uploads().length;
  const large = await post(`${IMPORT}/upload/csv`, { content: "x".repeat(UPLOAD_LIMIT + 1) });
  expect(large.status).toBe(422);
  expect(await large.text()).toContain("the files are larger than");
  expect((await post(`${IMPORT}/upload/csv`, { token: "forged" })).status).toBe(403);
  expect((await post(`${IMPORT}/upload/csv`, { account: callers.noFlag })).status).toBe(403);
  expect((await post(`${IMPORT}/upload/csv`, { account: callers.branch })).status).toBe(403);
  expect((await post(`${IMPORT}/upload/nothing`, {})).status).toBe(404);
  expect((await post(`${IMPORT}/upload/csv`, { content: "" })).status).toBe(422);
  expect(uploads()).toHaveLength(before);
  const named = await post(`${IMPORT}/upload/csv`, { name: "../../etc/x\u202Ecsv" });
  expect(named.status).toBe(303);
  const id = named.headers.get("location")?.split("/").at(-1) ?? "";
  const run = await Bun.file(join(runsFolder(app.folder), id, "run.json")).json();
  expect(run.files).toEqual([{ name: "xcsv", bytes: 8 }]);
  expect(readdirSync(join(runsFolder(app.folder), id)).filter((name) => name.startsWith("file-"))).toEqual([
    "file-0",
  ]);
});

test("a role without the flag sees no way there, and another ISP none of the uploads", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.noFlag);
  expect((await visitor.goto(IMPORT))?.status()).toBe(403);
  const id = (await post(`${IMPORT}/upload/csv`, {})).headers.get("location")?.split("/").at(-1) ?? "";
  await using other = await ConsoleBrowser.signedIn(browser, site, callers.otherTenant);
  expect((await other.goto(IMPORT))?.status()).toBe(200);
  expect(await other.page.locator("main").innerText()).toContain("Nothing was brought in yet");
  expect((await other.goto(`${IMPORT}/runs/${id}`))?.status()).toBe(404);
});

test("two tabs: what one has brought in, the other does not bring in again", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  await uploadIn(visitor, written("tabs.csv", "Login,Password,Package,Expiry\ntab1,p,Home,2031-01-31\n"));
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("heading", { name: "What would come" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await page.locator(".verdict button.solid").click();
  await page.getByText("What to do now").waitFor();
  await other.locator(".verdict button.solid").click();
  await other.getByText("brought in already").waitFor();
  expect(count("moves WHERE files LIKE '%tabs.csv%'")).toBe(1);
});

test("what is stopped brings nothing in", async () => {
  // what others have uploaded would get that process too, in its turn, and keep it
  while (loadRuns(app.folder).some(({ state }) => state === "waiting" || state === "looking"))
    await Bun.sleep(20);
  // at work until it is to stop
  spawn = (_, { notice, ended }) => ({
    stop: () => {
      notice({ kind: "stopped" });
      ended("ended");
    },
    kill: () => {},
  });
  try {
    await using visitor = await admin();
    const { page } = visitor;
    await uploadIn(visitor, written("long.csv", zalPro(10)));
    await page.getByText("Looking at the columns").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("It was stopped, and nothing was brought in").waitFor();
  } finally {
    spawn = processes;
  }
});
