import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { type Addresses, Appliance } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, soon } from "../support/console-browser.ts";
import { FakeNas, type NasRequest } from "../support/fake-nas.ts";
import { ada, aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";
import { en } from "../support/words.ts";

// A day at the counter, in the real executable: real datagrams, a router that answers, and staff before the console.

const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const DISCONNECT_REQUEST = 40;
const LOCKED = "48:46:FB:90:2E:11";
const OTHER = "D8:07:B6:1A:4F:C2";

const appliance = new Appliance();
let nas: FakeNas;
let browser: Browser;
let at: Addresses;

beforeAll(async () => {
  nas = await FakeNas.start({}, { secret: NAS_SECRET });
  await appliance.load(dataSet());
  at = await appliance.serve();
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  nas[Symbol.dispose]();
  expect(appliance.log).not.toMatch(/unexpected|request failed|internal/);
  await appliance[Symbol.asyncDispose]();
});

function dataSet() {
  const ends = (days: number) => ({ current_expiration_date: formatTime(systemClock() + days * DAY) });
  const person = (id: number, name: string, more: object) =>
    aSubscriber(id, { name, mobile_number: `+1 555 017${id}`, balance: "0.00", ...ends(10), ...more });
  return {
    settings: { max_coa_wait: 10, disconnect_confirm: 0 },
    isps: [{ id: 1, name: "Northlink" }],
    staff: [
      { ...ada, name: "Ada" },
      { ...ada, id: 2, name: "Ben", username: "ben", email: null },
      { ...ada, id: 3, name: "Cleo", username: "cleo", email: null },
    ],
    nas: [{ id: 1, isp_id: 1, name: "core", address: nas.address, secret: NAS_SECRET, coa_port: nas.port }],
    packages: [
      aPackage(1, { name: "Family 30", price: "22.00" }),
      aPackage(2, { name: "Small", price: "12.00", data_quota_bytes: 1_000_000 }),
    ],
    subscribers: [
      person(1, "Joseph Mwangi", { mac_address: LOCKED, mac_lock: 1 }),
      person(2, "Leila Haddad", { balance: "-6.00", ...ends(-3) }),
      person(3, "Omar Diallo", {}),
      person(4, "Chen Wei", { package_id: 2 }),
      person(5, "Farah Rahman", ends(-1)),
    ],
  };
}

/** Who has signed in at the desk, as staff do. */
async function staff(username: string, options: BrowserContextOptions = desk): Promise<ConsoleBrowser> {
  const visitor = await ConsoleBrowser.open(browser, { origin: `http://${at.http}` }, options);
  await visitor.goto("/console");
  await visitor.signIn(username, "secret-1");
  return visitor;
}

const login = (username: string, password: string, mac = LOCKED) =>
  radclient(
    at.radius_auth,
    "auth",
    NAS_SECRET,
    [
      `User-Name = "${username}"`,
      `User-Password = "${password}"`,
      `Calling-Station-Id = "${mac}"`,
      "NAS-IP-Address = 127.0.0.1",
      "Service-Type = Framed-User",
      "Framed-Protocol = PPP",
    ].join(", "),
  );

const account = (username: string, kind: "Start" | "Stop", more = "") =>
  radclient(
    at.radius_acct,
    "acct",
    NAS_SECRET,
    [
      `User-Name = "${username}"`,
      `Acct-Status-Type = ${kind}`,
      `Acct-Session-Id = "81-${username}"`,
      `Calling-Station-Id = "${LOCKED}"`,
      "NAS-IP-Address = 127.0.0.1",
      "Framed-IP-Address = 100.64.0.9",
      "Acct-Session-Time = 60" + more,
    ].join(", "),
  );

const ACCEPT = "Received Access-Accept";
const REJECT = "Received Access-Reject";
/** The User-Name of what a router was asked. */
const nameIn = ({ attributes }: NasRequest) =>
  Buffer.from(attributes.find(([type]) => type === 1)?.[1] ?? "", "hex").toString();
const verdict = ({ page }: ConsoleBrowser) => page.locator(".verdict h2").innerText();
const plain = (text: string) => text.replaceAll(/\s+/gu, " ");

/** From the box to the person: what is typed, and Enter. */
async function findByPhone({ page }: ConsoleBrowser, part: string, name: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type(part);
  await page.locator("#found .hit[aria-selected=true]", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("h1", { hasText: name }).waitFor();
}

test("from sign-up to online, and off again by the router", async () => {
  await using visitor = await staff("ada");
  const { page } = visitor;
  const online = await page.context().newPage();
  await online.goto(`http://${at.http}/console/online`);
  await page.bringToFront();
  await page.keyboard.press("n");
  await page.waitForURL("**/console/sign-up");
  await page.fill("#name", "Amara Okafor");
  await page.fill("#mobile_number", "+1 555 0777");
  await page.fill("#nic_number", "77 014 283");
  await page.selectOption("#nas_id", "1");
  await page.selectOption("#package_id", "1");
  expect(await soon(async () => (await page.inputValue("#amount")) === "22.00")).toBe(true);
  await visitor.submit("#sign-up .button.solid");
  expect(await visitor.heading()).toBe("Amara Okafor is signed up");
  const [name = "", password = ""] = await page.locator(".welcome .credential").allInnerTexts();
  expect(name).toBe("amara.okafor");
  await findByPhone(visitor, "0777", "Amara Okafor");
  expect(await verdict(visitor)).toBe("Nobody has dialled in with this name yet");

  expect(await login(name, password)).toContain(ACCEPT);
  expect(await account(name, "Start")).toContain("Accounting-Response");
  await online.locator("tbody .name", { hasText: "Amara Okafor" }).waitFor();
  await page.bringToFront();
  await page.locator(".person-name .chip", { hasText: "Online" }).waitFor();
  await page.locator(".verdict h2", { hasText: "Online" }).waitFor();

  nas.behaviour = (request) => {
    void account(nameIn(request), "Stop");
    return {};
  };
  await online.bringToFront();
  await online.locator("tbody tr", { hasText: "Amara Okafor" }).hover();
  await online.locator("tbody tr", { hasText: "Amara Okafor" }).locator("button").click();
  const toast = online.locator("#toasts .toast");
  await toast.waitFor();
  expect(plain(await toast.innerText())).toMatch(/^core ended Amara Okafor’s session\./);
  const requests = nas.requests.filter((request) => nameIn(request) === name);
  // it comes again when this machine is too busy to answer within a second
  expect(new Set(requests.map(({ code }) => code))).toEqual(new Set([DISCONNECT_REQUEST]));
  await page.bringToFront();
  await page.locator(".person-name .chip", { hasText: "Offline" }).waitFor();
  await online.close();
});

test("the phone rings: by keyboard alone, from a part of the number to the reason, the money and back online", async () => {
  expect(await login("user1", "pw-1", OTHER)).toContain(REJECT);
  expect(await login("user2", "pw-2")).toContain(REJECT);
  expect(await login("user3", "wrong")).toContain(REJECT);
  expect(await login("user4", "pw-4")).toContain(ACCEPT);
  await account("user4", "Start");
  await account("user4", "Stop", ", Acct-Output-Octets = 2000000");
  expect(await login("user4", "pw-4")).toContain(REJECT);

  await using visitor = await staff("ben");
  const { page } = visitor;
  await findByPhone(visitor, "0171", "Joseph Mwangi");
  expect(await verdict(visitor)).toBe("Refused: there is a new router at this line");
  await page.keyboard.press("u");
  await page.locator(".verdict h2", { hasText: "In order again" }).waitFor();
  expect(await login("user1", "pw-1", OTHER)).toContain(ACCEPT);
  await page.keyboard.press("Escape");

  await findByPhone(visitor, "0173", "Omar Diallo");
  expect(await verdict(visitor)).toBe("Refused: the password is wrong");
  await page.keyboard.press("u");
  await page.locator("#drawer #password:focus").waitFor();
  await page.keyboard.press("Enter");
  const password = await page.locator(".once").innerText();
  expect(await login("user3", password)).toContain(ACCEPT);
  await page.keyboard.press("Escape");

  await findByPhone(visitor, "0172", "Leila Haddad");
  expect(await verdict(visitor)).toBe("The package ended 3 days ago, and US$6.00 is owed");
  await page.keyboard.press("p");
  await page.locator("#amount:focus").waitFor();
  expect(await page.inputValue("#amount")).toBe("28.00");
  await page.keyboard.press("Enter");
  await page.locator(".steps").waitFor();
  expect(await page.innerText("#drawer-title")).toBe("US$28.00 taken, renewed");
  expect(await login("user2", "pw-2")).toContain(ACCEPT);
  await page.keyboard.press("Escape");

  {
    await using mobile = await staff("ben", phone);
    await mobile.page.fill("#search", "0174");
    await mobile.page.locator("#found .hit", { hasText: "Chen Wei" }).click();
    await mobile.page.locator("h1", { hasText: "Chen Wei" }).waitFor();
    expect(await verdict(mobile)).toBe("The data is used up");
    await mobile.expectToFit();
    await mobile.page.locator("#content .verdict .button.solid").click();
    await mobile.page.locator("#amount").waitFor();
    expect(await mobile.page.inputValue("#amount")).toBe("12.00");
    await mobile.page.locator("#drawer .button.solid").click();
    await mobile.page.locator(".steps").waitFor();
    expect(await login("user4", "pw-4")).toContain(ACCEPT);
  }

  const text = async (path: string, words: RegExp) => {
    await visitor.goto(path);
    return words.exec(plain(await visitor.text()))?.slice(1);
  };
  const all = await text("/console", /Taken today US\$([\d.]+) (\d) payments?, 2 by me/);
  expect(all).toBeDefined();
  expect(await text("/console/money", /US\$([\d.]+) taken in (\d) payments\./)).toEqual(all);
  expect(await text("/console/money?taken_by=2", /US\$([\d.]+) taken in 2 payments\./)).toEqual(["40.00"]);
  expect(await text("/console/money/closing", /Your till should hold US\$([\d.]+) in cash/)).toEqual([
    "40.00",
  ]);
  const collected = await appliance.run(["report", "collections", "--json"]);
  expect(JSON.parse(collected.stdout)).toMatchObject([
    { taken: Number(all?.[0]), payments: Number(all?.[1]) },
  ]);
  const { code, stdout } = await appliance.run(["check"]);
  expect([code, stdout.match(/^error/m)]).toEqual([0, null]);
});

/** The server ends and begins again, where it was. */
async function restart(meanwhile: () => Promise<void>): Promise<void> {
  expect(await appliance.stop()).toBe(0);
  await meanwhile();
  at = await appliance.serve({
    GATEHOUSE_HTTP_LISTEN: at.http,
    GATEHOUSE_RADIUS_AUTH_LISTEN: at.radius_auth,
    GATEHOUSE_RADIUS_ACCT_LISTEN: at.radius_acct,
  });
}

const { lost: LOST, back: BACK } = en.frame;
const hasText = ({ page }: ConsoleBrowser, words: string) =>
  page.locator(".toasts .toast", { hasText: words }).waitFor();

test("a restart under an open page is said and heals, and what is typed is sent after it", async () => {
  // four of the five sign-ins that an account has in a minute are of this test
  await using visitor = await staff("cleo");
  visitor.expected = /^401 |Failed to fetch|net::ERR|EventSource/; // nobody answered, or no session: this is what it is about
  const { page } = visitor;
  await visitor.goto("/console/subscribers/5");
  await page.getByRole("link", { name: "Edit" }).last().click();
  await page.fill("#drawer #name", "Farah R. Rahman");
  await restart(async () => {
    await hasText(visitor, LOST);
    await page.locator("#drawer .button.solid").click();
    expect(await page.inputValue("#drawer #name")).toBe("Farah R. Rahman");
  });
  await hasText(visitor, BACK);
  expect(await page.getByText(LOST).count()).toBe(0);
  await page.locator("#drawer .button.solid").click();
  await page.locator("h1", { hasText: "Farah R. Rahman" }).waitFor();

  const again = async () => {
    await page.getByRole("dialog").getByText("You were signed out").waitFor();
    await visitor.typeInto("dialog [name=password]", "secret-1");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };
  endSessions();
  await account("user5", "Start");
  await again();
  const state = page.locator(".person-name .chip.quiet");
  await state.getByText("Online").waitFor();
  await account("user5", "Stop");
  await state.getByText("Offline").waitFor();

  await visitor.goto("/console/sign-up");
  await page.fill("#name", "Ibrahim Diallo");
  await page.fill("#mobile_number", "+1 555 0888");
  await page.fill("#nic_number", "88");
  await page.selectOption("#nas_id", "1");
  await page.selectOption("#package_id", "1");
  await restart(async () => {
    await page.locator("#sign-up .button.solid").click();
    await hasText(visitor, LOST);
    await page.fill("#address", "4 Quay Street");
  });
  await hasText(visitor, BACK);
  endSessions();
  await page.fill("#address", "4 Quay Street, Riverton"); // at once: the form above the page takes the keys of who is slow
  await again();
  await page.locator("#sale", { hasText: "22.00" }).waitFor();
  expect(await page.inputValue("#address")).toBe("4 Quay Street, Riverton");
  expect(await visitor.heading()).toBe("Sign up");
  endSessions();
  await page.locator("#sign-up .button.solid").click();
  await again();
  await page.locator("h1", { hasText: "Ibrahim Diallo is signed up" }).waitFor();
});

/** As an Admin or idleness does it. */
function endSessions(): void {
  using store = appliance.otherWriter();
  store.run("DELETE FROM staff_sessions");
}

test("two at one subscriber: who comes second is shown what the first did, and nobody pays twice", async () => {
  await using first = await staff("ada");
  await using second = await staff("ben");
  second.expected = /^422 /;
  for (const { page } of [first, second]) {
    await page.goto(`http://${at.http}/console/subscribers/5`);
    await page.keyboard.press("p");
    await page.locator("#amount:focus").waitFor();
  }
  await first.page.keyboard.press("Enter");
  await first.page.locator(".steps").waitFor();
  await second.page.keyboard.press("Enter");
  await second.page.locator("#drawer .note.bad").waitFor();
  expect(plain(await second.page.locator("#drawer .note.bad").innerText())).toMatch(
    /^Nothing was taken: it was renewed a moment ago, and is paid until /,
  );
  expect(await second.page.inputValue("#amount")).toBe("0.00");
  await second.page.keyboard.press("Enter");
  await second.page.locator("#drawer .fault").waitFor();
  await second.page.keyboard.press("Escape");
  for (const { page } of [first, second])
    await page.locator(".person-name .chip", { hasText: "Active" }).waitFor();
  const paid = await appliance.run(["payment", "list", "--user", "user5", "--json"]);
  expect(JSON.parse(paid.stdout)).toHaveLength(1);
});
