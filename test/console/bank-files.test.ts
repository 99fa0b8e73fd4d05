import { expect, test } from "bun:test";
import { verbatim } from "../../src/domain/core/errors/phrase.ts";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { receivePayment } from "../../src/domain/desk/incoming/receive.ts";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import { consoleScene } from "../support/console-scene.ts";
import { type ConsoleBrowser, soon } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import type { PlainVisitor } from "../support/plain-visitor.ts";

const BANK = "/console/money/arrived/bank";
const GUESSED = "/console/money/arrived/guessed";

const scene = consoleScene();

const FILE = [
  "Account;DE00 1234",
  "From;01.01.2030",
  "",
  "Buchungstag;Betrag;Verwendungszweck;Auftraggeber",
  `15.01.2030;1.022,50;Internet ${makeReference(1)};Jürgen Groß`,
  "15.01.2030;22,00;thanks;Nadia Nobody",
  "16.01.2030;-5,00;fee;Bank",
  "soon;5,00;x;y",
];
const western = Buffer.from(FILE.join("\r\n"), "latin1");

async function upload(
  visitor: ConsoleBrowser | PlainVisitor,
  buffer: Buffer,
  name = "January.csv",
): Promise<void> {
  await visitor.page.setInputFiles("#file", { name, mimeType: "text/csv", buffer });
  await next(visitor);
}
const next = (visitor: ConsoleBrowser | PlainVisitor) => visitor.submit("#content form .button.solid");
const count = (sql: string) =>
  scene.app.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
const wallet = () => readBalance(scene.app.db, { subscriberId: 1 });

test("a file is read, its columns are guessed, its lines are shown, and what is ticked is booked by a press", async () => {
  await using visitor = await scene.signedIn();
  const { page } = visitor;
  const before = count("payments");
  await visitor.goto("/console/money/arrived");
  await page.click('a:has-text("A bank’s file")');
  await page.waitForSelector("#file");
  await upload(visitor, western);
  expect(await page.inputValue("#date_column")).toBe("Buchungstag");
  expect(await page.inputValue("#dates")).toBe("d.m.Y");
  expect(await page.inputValue("#decimals")).toBe("comma");
  expect(await visitor.text()).toContain("Jürgen Groß");
  await visitor.expectAccessible();
  await next(visitor);
  const text = await visitor.text();
  expect(text).toContain("2 lines are new, of 1 it is thought whose they are. Nothing is booked yet.");
  expect(text).toContain("2 lines are no money that came in, or cannot be read");
  expect(text).toContain("Soon is no day that can be read");
  await visitor.expectAccessible();
  expect([count("payments"), count("incoming_payments")]).toEqual([before, 0]);

  const had = wallet();
  await next(visitor);
  expect(await visitor.text()).toContain("One payment was booked.");
  expect(wallet()).toBeGreaterThan(had);
  expect([count("payments"), count("incoming_payments")]).toEqual([(before ?? 0) + 1, 2]);
  // what follows a press is a page of its own, so that a reload does nothing
  await page.reload();
  expect(count("payments")).toBe((before ?? 0) + 1);

  await visitor.goto(BANK);
  await upload(visitor, western, "again.csv");
  expect(await visitor.text()).toContain("As it was for the last file with these columns.");
  await next(visitor);
  expect(await visitor.text()).toContain("No line is new.");
  expect(await visitor.text()).toContain("2 lines were in a file before");
  expect(count("incoming_payments")).toBe(2);
  expect(visitor.complaints).toEqual([]);
});

test("two presses of the same form book once", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(BANK);
  await upload(visitor, western);
  await next(visitor);
  const form = page.sent("#content form");
  const action = (await page.getAttribute("#content form", "action")) ?? "";
  await next(visitor);
  const had = wallet();
  await page.goto(action, { method: "POST", body: form });
  expect(wallet()).toBe(had);
  expect(count("incoming_payments")).toBe(2);
});

test.each([
  ["a workbook", Buffer.from([0x50, 0x4b, 3, 4, 1, 2]), "is a workbook"],
  ["a PDF", Buffer.from("%PDF-1.7 x"), "is a PDF"],
])("%s is refused in words", async (_, buffer, expected) => {
  await using visitor = await scene.plain();
  await visitor.goto(BANK);
  await upload(visitor, buffer, "file.bin");
  expect(await visitor.text()).toContain(expected);
  await visitor.page.reload();
});

test("a column that was not chosen is asked for again, with what was chosen", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(BANK);
  await upload(visitor, Buffer.from(`\uFEFF${FILE.join("\n")}`, "utf16le"), "utf16.csv");
  await page.selectOption("#amount_column", "");
  await page.selectOption("#dates", "m/d/Y");
  await next(visitor);
  expect(await visitor.text()).toContain("amount column");
  expect(await page.inputValue("#dates")).toBe("m/d/Y");
});

test("what is thought to be somebody's is shown with what it comes to, and what is ticked is booked", async () => {
  const line = (nth: number) => ({
    ispId: 1,
    sourceId: null,
    provider: "bank",
    externalId: `L-${nth}`,
    amount: 2200,
    currency: "USD",
    paidAt: null,
    method: "bank",
    payer: "Ann Lee",
    raw: `line ${nth}`,
    reason: verbatim("its payer is called as user1"),
    named: { by: "any", text: "thanks" } as const,
    bodyHash: new Uint8Array(32).fill(nth),
    guess: 1,
  });
  for (const nth of [1, 2])
    receivePayment(scene.app.db, by, line(nth), { now: scene.app.clock.now, onOther: "keep" });
  const before = count("payments") ?? 0;
  await using visitor = await scene.signedIn();
  const { page } = visitor;
  await visitor.goto("/console/money/arrived");
  await page.click('a:has-text("Book what was guessed")');
  await page.waitForSelector('input[name="book"]');
  expect(await visitor.text()).toContain("Of 2 payments that wait");
  await visitor.expectAccessible();
  await page.locator('input[name="book"]').first().uncheck();
  await next(visitor);
  expect(count("payments")).toBe(before + 1);
  expect(count("incoming_payments WHERE state = 'assigned'")).toBe(1);
  await visitor.goto(GUESSED);
  await page.locator('input[name="book"]').first().uncheck();
  await next(visitor);
  expect(await visitor.text()).toContain("Tick what is to be booked.");
  expect(count("payments")).toBe(before + 1);
});

test("what was sent is shown by a press alone, and stands in the trail", async () => {
  const { id } = receivePayment(
    scene.app.db,
    by,
    {
      ispId: 1,
      sourceId: null,
      provider: "shop",
      externalId: "X-1",
      amount: 100,
      currency: "USD",
      paidAt: null,
      method: "online",
      payer: null,
      raw: '{"very":"private"}',
      reason: null,
      named: { by: "any", text: "whoever" },
      bodyHash: new Uint8Array(32),
    },
    { now: scene.app.clock.now, onOther: "keep" },
  );
  await using visitor = await scene.signedIn();
  const { page } = visitor;
  await visitor.goto(`/console/money/arrived/${id}`);
  expect(await page.content()).not.toContain("private");
  await page.click('button:has-text("Show what was sent")');
  await page.waitForSelector("pre.quoted");
  expect(await page.locator("pre.quoted").innerText()).toBe('{"very":"private"}');
  expect(await soon(async () => count("audit_entries WHERE action = 'incoming_payment.raw'") === 1)).toBe(
    true,
  );
});
