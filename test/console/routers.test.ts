import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { ada, aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

/* Routers that are added, with real datagrams to the real program. */

let browser: Browser;
let at: Addresses;
const data = mkdtempSync(join(tmpdir(), "gatehouse-routers-"));
const appliance = new Appliance({ GATEHOUSE_DATA_DIR: data });
const clients: RadiusClient[] = [];

beforeAll(async () => {
  browser = await startChromium();
  await appliance.load(dataSet());
  at = await appliance.serve();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all([browser.close(), appliance[Symbol.asyncDispose]()]);
  rmSync(data, { recursive: true, force: true });
});

function dataSet() {
  const current_expiration_date = formatTime(systemClock() + 10 * DAY);
  return {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [ada],
    packages: [aPackage(1)],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.77.0.1", secret: NAS_SECRET }],
    subscribers: [1, 2, 3].map((id) => aSubscriber(id, { current_expiration_date })),
  };
}

/** A router at an address of this machine. */
function routerAt(localAddress: string, secret: string): RadiusClient {
  const client = new RadiusClient({ ...radiusAt(at), localAddress, secret });
  clients.push(client);
  return client;
}

const there = () => ({ origin: `http://${at.http}` });

async function signedIn<V extends ConsoleBrowser | PlainVisitor>(visitor: V): Promise<V> {
  await visitor.goto("/console/sign-in");
  await visitor.signIn("ada", "secret-1");
  return visitor;
}
const admin = async () => signedIn(await ConsoleBrowser.open(browser, there()));
const plain = () => signedIn(new PlainVisitor(there()));

/** Adds a router by its form; what is shown of its secret. */
async function add(visitor: ConsoleBrowser | PlainVisitor, name: string, address: string): Promise<string> {
  const { page } = visitor;
  await visitor.goto("/console/routers/new");
  await page.fill("#name", name);
  await page.fill("#address", address);
  await visitor.submit("button.solid");
  expect(await visitor.heading()).toBe("Add a router");
  return secretOn(await visitor.text());
}

const secretOn = (text: string) => /secret=(\S+)/.exec(text)?.[1] ?? "";
const login = { name: "user1", method: "pap", password: "pw-1" } as const;
const start = (session: string, name: string, ahead: number) =>
  [
    ["Acct-Session-Id", session],
    ["User-Name", name],
    ["Framed-IP-Address", "100.64.50.2"],
    ["Event-Timestamp", Math.floor(Date.now() / 1000) + ahead],
  ] as const;

test("a new router: another address, a wrong secret, mended, signed, login, report, its answer, its clock", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  const row = (step: string) => page.locator(`#arrived-${step}`);
  const expected = (step: string, text: string) => row(step).filter({ hasText: text }).waitFor();
  const secret = await add(visitor, "Market-5", "127.77.0.2");
  expect(secret).toMatch(/^(\w{4}-){3}\w{4}$/);
  await expected("packet", "Nothing has come from 127.77.0.2 yet");

  await routerAt("127.77.0.3", secret).access(login, 100);
  await expected("packet", "A packet came from 127.77.0.3, which is no router of yours");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.locator("#toasts").filter({ hasText: "The address is 127.77.0.3 now" }).waitFor();
  await expected("packet", "Nothing has come from 127.77.0.3 yet");

  await routerAt("127.77.0.3", "another").access(login, 100);
  await expected("packet", "A packet came from 127.77.0.3");
  await expected("secret", "The secret is another one");
  expect(await row("secret").innerText()).toContain(`secret=${secret}`);

  const router = routerAt("127.77.0.3", secret);
  expect((await router.access(login))?.code).toBe("Access-Accept");
  await expected("secret", "The secret is right, the request is signed");
  await expected("secret", "First try with another secret at");
  await expected("login", "user1, User 1: let in. Speed 20 Mbit/s / 10 Mbit/s sent.");
  // it is in use, so that nobody is shown it any more
  await page.getByText("put it in place of <secret>").waitFor();
  expect(await page.content()).not.toContain(secret);

  // asked by itself: nothing answers there
  await expected("coa", "It does not answer us");
  expect(await row("coa").innerText()).toContain("We asked it 3 times on port 3799");
  expect(await row("coa").innerText()).toContain("/ip firewall filter move [find comment=gatehouse");
  using nas = await FakeNas.start(
    { answer: "nak", errorCause: 503 },
    { address: "127.77.0.3", secret, port: 3799 },
  );
  await row("coa").getByRole("button", { name: "Ask again" }).click();
  await expected("coa", "It answers us");
  expect(await row("coa").innerText()).toContain("NAK, Error-Cause 503");
  expect(nas.forged).toBe(0);

  expect((await router.accounting("Start", start("81000001", "user1", 5)))?.code).toBe("Accounting-Response");
  await expected("report", "100.64.50.2. One report so far.");
  await expected("clock", "Its clock is right");
  await page.getByText("6 of 6 arrived").waitFor();
  await visitor.submit(".setup-steps a.solid");
  expect(await visitor.heading()).toBe("Market-5");
  expect(await visitor.text()).toContain("127.77.0.3 signs since");
  expect(visitor.complaints).toEqual([]);
});

test("without a script, a router whose clock is wrong, that reports and does not ask; and one goes on without its answer", async () => {
  await using visitor = await plain();
  const secret = await add(visitor, "Hill-7", "127.77.0.7");
  const router = routerAt("127.77.0.7", secret);
  // an hour, and as long as a busy machine may take to hear it
  expect((await router.accounting("Start", start("81000007", "user2", 3630)))?.code).toBe(
    "Accounting-Response",
  );
  const reload = async (text: string) => {
    for (let tries = 0; tries < 300 && !(await visitor.text()).includes(text); tries++) {
      await Bun.sleep(100);
      await visitor.page.reload();
    }
    expect(await visitor.text()).toContain(text);
  };
  await reload("Reports arrive, and no login asks");
  await reload("Its clock is 1h ahead");
  expect(await visitor.text()).toContain("/system ntp client set enabled=yes");
  await visitor.submit("#arrived-coa button");
  expect(await visitor.text()).toContain("It does not answer us");
  await visitor.submit("#arrived-coa form[action$=leave] button");
  expect(await visitor.text()).toContain("Gone on without its answer");
});

test("by keyboard alone, and a router that sends an unreadable password has another secret", async () => {
  await using visitor = await admin();
  const { page } = visitor;
  await visitor.goto("/console/routers");
  await page.getByRole("link", { name: "Add a router" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#name").focus();
  await page.keyboard.type("Pier-9");
  await page.keyboard.press("Tab");
  await page.keyboard.type("127.77.0.9");
  await page.keyboard.press("Enter");
  await page.locator("#arrived-packet").waitFor();
  const unsigned = { ...login, messageAuthenticator: false };
  await routerAt("127.77.0.9", "another").access(unsigned, 300);
  await page.locator("#arrived-secret").filter({ hasText: "The secret is another one" }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await visitor.expectToFit();
  await visitor.expectAccessible();
});

test("a login is tried as a router does it, and its reason told", async () => {
  await using visitor = await plain();
  const { page } = visitor;
  await visitor.goto("/console/routers/test-login?username=user3");
  for (const method of ["pap", "chap", "mschapv2"]) {
    await page.selectOption("#test-method", method);
    await page.locator("#content form button.solid").click();
    await page.getByText("user3 would be let in").waitFor();
    await visitor.goto("/console/routers/test-login?username=user3");
  }
  await page.fill("#test-password", "guess");
  await page.locator("#content form button.solid").click();
  await page.getByText("user3 would be refused").waitFor();
  expect(await visitor.text()).toContain("Wrong password.");

  // who types passwords here may be guessing: five a minute, each in the trail
  for (let i = 0; i < 5; i++) {
    await visitor.goto("/console/routers/test-login?username=user3");
    await page.fill("#test-password", `guess ${i}`);
    await page.locator("#content form button.solid").click();
    await page.getByText(/user3 would be refused|Five passwords a minute can be tried/).waitFor();
  }
  await page.getByText("Five passwords a minute can be tried.").waitFor();
  using store = new Database(join(data, "gatehouse.db"), { readonly: true });
  const tried = store
    .query("SELECT actor, after FROM audit_entries WHERE action = 'subscriber.password_test'")
    .all();
  expect(tried).toEqual(Array.from({ length: 5 }, () => ({ actor: "ada", after: '{"accepted":0}' })));
});
