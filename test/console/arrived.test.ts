import { expect, test } from "bun:test";
import { receivePayment, type PaymentNotice } from "../../src/domain/desk/incoming/receive.ts";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import { consoleScene } from "../support/console-scene.ts";
import { soon } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";

const ARRIVED = "/console/money/arrived";

const scene = consoleScene();

let arrivals = 0;
/** A payment of 22.00 that names nobody; its id. */
function arrive(more: Partial<PaymentNotice> = {}): number {
  const nth = ++arrivals;
  const notice: PaymentNotice = {
    ispId: 1,
    sourceId: null,
    provider: "Paystack",
    externalId: `T-${nth}`,
    amount: 2200,
    currency: "USD",
    paidAt: null,
    method: "online",
    payer: "Ann Lee",
    raw: "",
    named: { by: "any", text: "whoever" },
    bodyHash: new Uint8Array(32).fill(nth),
    ...more,
  };
  return receivePayment(scene.app.db, by, notice, { now: scene.app.clock.now, onOther: "keep" }).id;
}

const stateOf = (id: number) =>
  scene.app.db.$client
    .query<{ state: string; subscriber_id: number | null }, [number]>(
      "SELECT state, subscriber_id FROM incoming_payments WHERE id = ?",
    )
    .get(id);
const payments = () =>
  scene.app.db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM payments").get()?.n ?? 0;

test("whose it is: found by the reference, shown what will be booked, booked by a press", async () => {
  const id = arrive();
  const before = payments();
  await using visitor = await scene.signedIn();
  const { page } = visitor;
  await visitor.goto(ARRIVED);
  expect(await visitor.text()).toContain("Nobody here is whoever.");
  expect(await page.locator(".tabs .tab-count").innerText()).toBe("1");
  await page.click('a:has-text("Whose is it?")');
  await page.waitForSelector("#drawer #arrived-q");
  await page.fill("#arrived-q", makeReference(1));
  await page.locator("#arrived-found li a").filter({ hasText: "user1" }).click();
  await page.waitForSelector("#drawer .sums");
  expect(await page.locator("#drawer .sums").innerText()).toContain("+22.00");
  await visitor.expectAccessible();
  expect(payments()).toBe(before);
  await page.click("#drawer .button.solid");
  expect(await soon(async () => (await visitor.text()).includes("Nothing waits"))).toBe(true);
  expect(await visitor.text()).toContain("receipt R-");
  expect(stateOf(id)).toEqual({ state: "assigned", subscriber_id: 1 });
  expect(payments()).toBe(before + 1);
});

test("the same without a script", async () => {
  const id = arrive();
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(ARRIVED);
  await page.click('a:has-text("Whose is it?")');
  await page.fill("#arrived-q", "user1");
  await page.press("#arrived-q", "Enter");
  await page.locator("#arrived-found li a").first().click();
  await page.click("#content .button.solid");
  await page.waitForURL(`**${ARRIVED}`);
  expect(await visitor.text()).toContain("receipt R-");
  expect(stateOf(id)?.state).toBe("assigned");
});

test("what nobody books is put away for a reason, which has to be said", async () => {
  const id = arrive({ currency: "KES" });
  await using visitor = await scene.signedIn();
  visitor.expected = /^422 /;
  const { page } = visitor;
  await visitor.goto(`${ARRIVED}/${id}`);
  expect(await page.locator("#arrived-q").count()).toBe(0);
  await visitor.goto(ARRIVED);
  await page.locator("tr", { hasText: "KES" }).locator("a.button").click();
  await page.click('#drawer a:has-text("Put away")');
  await page.click('#drawer button:has-text("Put away")');
  await page.waitForSelector("#drawer #reason-fault");
  await page.fill("#reason", "handed back");
  await page.click('#drawer button:has-text("Put away")');
  expect(await soon(async () => stateOf(id)?.state === "dismissed")).toBe(true);
});

test("one that does not wait any more is not booked twice", async () => {
  const id = arrive();
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${ARRIVED}/${id}/assign?to=1`);
  scene.app.db.$client.run("UPDATE incoming_payments SET state = 'dismissed', ended_at = ? WHERE id = ?", [
    scene.app.clock.now,
    id,
  ]);
  const before = payments();
  await page.click("#content .button.solid");
  await page.getByText("was dismissed").first().waitFor();
  expect(payments()).toBe(before);
});
