import { afterAll, beforeAll, expect, test } from "bun:test";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { addMessages, insertMessage } from "../support/messages.ts";
import type { PlainPage } from "../support/plain-page.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let app: Tenants;
let site: ConsoleSite;
let visitor: PlainVisitor;
beforeAll(async () => {
  app = await withTenants();
  site = consoleSite(app);
  credit(app.db, by, { subscriberId: 1, amount: 100_000 }, { now: app.clock.now });
  takePayment(app.db, by, { staffId: 2, amount: 5000, method: "cash" }, { now: app.clock.now });
  addMessages(app.db, app.clock.now);
  insertMessage(app.db, app.clock.now, "failed");
  visitor = await PlainVisitor.signedIn(site, callers.admin);
});
afterAll(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const PERSON = "/console/subscribers/1";
const bankFile = Buffer.from("Date;Amount;Text\n2030-01-15;5.00;thanks\n");
const send = (page: PlainPage) => page.locator("#content form[method=post] .button").last().click();

/** Forms that no other test sends without a script: where, what is filled in, and what the page that follows says. */
const forms: [path: string, fill: (page: PlainPage) => Promise<unknown>, says: string][] = [
  [`${PERSON}/note`, (page) => page.fill("#note", "Dog in the yard"), "Dog in the yard"],
  [
    `${PERSON}/message`,
    async (page) => {
      await page.selectOption("#channel_id", { label: "Mail" });
      await page.fill("#body", "Hello {{name}}");
    },
    "It leaves by Mail next.",
  ],
  [`${PERSON}/extend`, (page) => page.fill("#reason", "Cable was cut"), "Extended until"],
  [
    `${PERSON}/edit`,
    async (page) => {
      await page.locator("details:has(#box_number) summary").click();
      await page.fill("#box_number", "BOX-7");
    },
    "Saved",
  ],
  [`${PERSON}/renew`, () => Promise.resolve(), "is renewed"],
  ["/console/money/wallets/2/top-up", (page) => page.fill("#amount", "25"), "is topped up"],
  ["/console/money/wallets/2/pay-out", (page) => page.fill("#amount", "5"), "was paid out"],
  [
    "/console/money/arrived/bank",
    (page) => page.setInputFiles("#file", { name: "a.csv", mimeType: "text/csv", buffer: bankFile }),
    "Which column is what?",
  ],
  ["/console/messages/1", () => Promise.resolve(), "It is cancelled."],
  ["/console/messages/again?channel=1", () => Promise.resolve(), "1 message waits to be sent again."],
];

test.each(forms)(
  "without a script %s is sent, and the next page says what came of it",
  async (path, fill, expected) => {
    const { page } = visitor;
    await visitor.goto(path);
    await fill(page);
    await send(page);
    await page.waitForLoadState();
    expect(await visitor.text()).toContain(expected);
  },
);

test("what was refused has the focus without a script too", async () => {
  const { page } = visitor;
  await visitor.goto(`${PERSON}/extend`);
  await send(page);
  await page.waitForLoadState();
  expect(await page.locator("#reason:focus").getAttribute("aria-invalid")).toBe("true");
});

test("what cannot be done now is said in words without a script", async () => {
  app.db.$client.run("UPDATE services SET frozen_at = ? WHERE subscriber_id = 1", [app.clock.now]);
  const { page } = visitor;
  await visitor.goto(`${PERSON}/extend`);
  await page.fill("#reason", "Cable was cut");
  await send(page);
  await page.waitForLoadState();
  expect(await visitor.text()).toContain("thaw first");
  app.db.$client.run("UPDATE services SET frozen_at = NULL");
});
