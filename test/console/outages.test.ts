import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { recordDecisions } from "../../src/domain/service/access/auth-log.ts";
import { boxPage } from "../../src/domain/service/boxes/box.ts";
import { listBoxes } from "../../src/domain/service/boxes/list.ts";
import { OutageWatch } from "../../src/domain/service/outages/watch.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { drop, linesOfBox, macOf, plant, report } from "../support/plant.ts";
import { NOW } from "../support/store.ts";

const NEW_DEVICE = "02:00:00:00:FF:01";

let browser: Browser;
let site: ConsoleSite;
let app: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), world()]);
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

/** The ports 5 to 8 of BOX-1 went dark together, and there is a new device at its port 3. */
async function world() {
  const opened = temporaryApp({}, await plant());
  const { db, clock } = opened;
  db.$client.query("UPDATE subscribers SET mac_lock = 1, mac_address = ? WHERE id = 3").run(macOf(3));
  drop(db, 3, NOW - 2000);
  recordDecisions(db, [
    {
      at: NOW - 100,
      nasId: 1,
      nasAddress: "127.0.0.1",
      username: "user3",
      subscriberId: 3,
      accepted: false,
      reason: "mac_locked",
      method: "pap",
      detail: null,
      mac: NEW_DEVICE,
      class: null,
    },
  ]);
  for (const [index, line] of linesOfBox(1).slice(4).entries()) drop(db, line, NOW + index * 3);
  report(db, NOW + 60);
  await new OutageWatch(db, { since: NOW }).look(NOW + 60);
  clock.now = NOW + 60;
  return opened;
}

async function ask(path: string, form?: Record<string, string>): Promise<{ status: number; text: string }> {
  const cookie = await consoleSessionOf(site, "ada:secret-1");
  const text = await fetch(`${site.origin}/console/boxes/BOX-1`, { headers: { cookie } });
  const token = /name="form_token" value="([^"]+)"/.exec(await text.text())?.[1] ?? "";
  const body = form && new URLSearchParams({ ...form, form_token: token });
  const answer = await fetch(site.origin + path, {
    headers: { cookie, origin: site.origin },
    ...(body && { method: "POST", body }),
  });
  return {
    status: answer.status,
    text: (await answer.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "),
  };
}

test.each([
  [
    "/console/boxes",
    ["5 lines are dark, at 1 of 15 boxes. The worst first.", "BOX-1 went dark together 8 lines 3 online 5"],
  ],
  [
    "/console/boxes/BOX-1",
    [
      "Ports 5 to 8 went dark together Within 9 s at 12:00. Ports 1, 2 and 4 answer",
      "3 online 1 refused 4 dark",
      "off since 12:00:09",
      "refused: a new device",
    ],
  ],
  ["/console/outages", ["BOX-1: ports 5 to 8 went dark together", "not over 4 lines 0"]],
  [
    "/console/outages/1",
    ["12:00, within 9 s; ports 1, 2 and 4 answer", "0 of 4 lines are back", "12:00:09 dark M8"],
  ],
  ["/console/outages/1/lines.csv", ["8,User 8,user8,M8,"]],
  [
    "/console/findings",
    [
      "BOX-1: ports 5 to 8 went dark together 12:00, within 9 s; ports 1, 2 and 4 answer Open box",
      "User 3 has a new device Right password, refused 1 time since 11:58",
    ],
  ],
])("%s says what is the matter", async (path, expected) => {
  const { status, text } = await ask(path);
  expect(status).toBe(200);
  for (const words of expected) expect(text).toContain(words);
});

test.each(["/console/boxes/BOX-99", "/console/outages/99", "/console/outages/x"])(
  "%s is not there",
  async (path) => {
    expect((await ask(path)).status).toBe(404);
  },
);

test("boxes stand in the order of what is dark, then of their numbers as people count them", async () => {
  using store = await plant();
  const [one, two, dark] = linesOfBox(1);
  for (const [box, line] of [
    ["BOX-10", one],
    ["BOX-2", two],
  ] as const)
    store.db.$client.run("UPDATE subscribers SET box_number = ? WHERE id = ?", [box, line ?? 0]);
  drop(store.db, dark ?? 0, NOW);
  const all = listBoxes(store.db, by, { q: "BOX-", limit: 100 }, { now: NOW });
  const numbers = all.boxes.map(({ boxNumber }) => boxNumber);
  expect(numbers[0]).toBe("BOX-1");
  expect(numbers.indexOf("BOX-2")).toBeLessThan(numbers.indexOf("BOX-10"));
  expect(all).toMatchObject({ total: numbers.length, darkBoxes: 1, dark: 1 });
  const rest = listBoxes(store.db, by, { q: "BOX-", limit: 2, offset: 1 }, { now: NOW });
  expect(rest.boxes.map(({ boxNumber }) => boxNumber)).toEqual(numbers.slice(1, 3));
});

test("a line that was never lit is not dark", async () => {
  using store = await plant();
  const [, , unlit] = linesOfBox(1);
  drop(store.db, unlit ?? 0, NOW);
  const dark = () => listBoxes(store.db, by, { q: "BOX-1", limit: 1 }, { now: NOW }).boxes[0]?.dark;
  const states = () =>
    boxPage(store.db, by, { boxNumber: "BOX-1" }, { now: NOW }).lines.filter(({ state }) => state === "dark");
  expect([dark(), states().length]).toEqual([1, 1]);
  store.db.$client.run("DELETE FROM sessions WHERE subscriber_id = ?", [unlit ?? 0]);
  expect([dark(), states().length]).toEqual([0, 0]);
});

test("a login is tried without a script: the next page says why it is refused", async () => {
  const { text } = await ask("/console/boxes/BOX-1/test", { user_id: "3" });
  expect(text).toContain("user3 is offline: refused");
  expect(text).toContain("locked to another MAC address");
});

test("the technician takes the new device by keyboard, and sees it said", async () => {
  const options = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;
  await using visitor = await ConsoleBrowser.signedIn(browser, site, "ada:secret-1", options);
  const { page } = visitor;
  await page.route("**/console/live", (route) => route.fulfill({ status: 204 })); // what is live is tried elsewhere
  await visitor.goto("/console/boxes/BOX-1");
  await visitor.expectToFit();
  await visitor.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
  await page.getByRole("button", { name: "Take the new device" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("User 3 has a new device.").waitFor();
  expect(await page.getByText(`${NEW_DEVICE} is let in from now on`).isVisible()).toBe(true);
  const { mac } = app.db.$client
    .query<{ mac: string }, []>("SELECT mac_address AS mac FROM subscribers WHERE id = 3")
    .get() ?? { mac: "" };
  expect(mac).toBe(NEW_DEVICE);
  app.db.$client.query("UPDATE subscribers SET mac_address = ? WHERE id = 3").run(macOf(3)); // for the other tests
});

test("an address stands in one piece from right to left, with its number before it", async () => {
  app.db.$client.run("UPDATE subscribers SET address = '177 Quay Street' WHERE id = 1");
  const cookie = await consoleSessionOf(site, "ada:secret-1");
  const headers = { cookie, "accept-language": "ar" };
  const page = await fetch(`${site.origin}/console/boxes/BOX-1`, { headers });
  expect(await page.text()).toContain("\u2068177 Quay Street\u2069");
});
