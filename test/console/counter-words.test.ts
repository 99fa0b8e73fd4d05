import { expect, test } from "bun:test";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, withTenants } from "../support/tenants.ts";

const renewal = { subscriberId: 1, amount: 2200, method: "cash", activates: true };

/** Subscriber 1 has paid and renewed, and the Admin reads pages in a language. */
async function counter(language: string) {
  const app = await withTenants();
  app.db.$client.run("UPDATE packages SET price = 2200 WHERE id = 1");
  takePayment(app.db, by, renewal, { now: app.clock.now - 500 });
  const headers = { cookie: await consoleSessionOf(app, callers.admin), "accept-language": language };
  const read = async (path: string) => {
    const answer = await app.app.handle(new Request(`http://localhost/console${path}`, { headers }));
    return (await answer.text()).replaceAll("\u00a0", " ");
  };
  return { read, [Symbol.dispose]: () => app[Symbol.dispose]() };
}

test("an invoice is paid, as its filter has paid ones", async () => {
  using desk = await counter("es");
  const page = await desk.read("/money/invoices");
  expect(page).toMatch(/>Pagadas</);
  expect(page.match(/<span class="soft-text">(Pagad[^<]*)</)?.[1]).toBe("Pagada");
});

test.each([
  ["es", /22,00 <span class="unit">US\$<\/span>/],
  ["en-US", /<span class="unit">\$<\/span>22\.00/],
])("in %s the sign of the currency is where the language has it", async (language, figure) => {
  using desk = await counter(language);
  expect(await desk.read("")).toMatch(figure);
});

test("what is in the books of a person leads to its receipt and its invoice, where a payment is reversed", async () => {
  using desk = await counter("en");
  const page = await desk.read("/subscribers/1/money");
  expect(page).toMatch(/<a href="\/console\/money\/payments\/\d+">R-/);
  expect(page).toMatch(/<a href="\/console\/money\/invoices\/\d+">I-/);
});

test("the key that pauses a live list is called as its reader calls it", async () => {
  using desk = await counter("es");
  for (const path of ["/online", "/logins", "/audit-log", "/keys"])
    expect([path, (await desk.read(path)).includes(">Space<")]).toEqual([path, false]);
  expect(await desk.read("/online")).toContain(">Espacio<");
});
