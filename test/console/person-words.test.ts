import { expect, test } from "bun:test";
import { ELSEWHERE } from "../../src/domain/desk/subscriber-page/timeline-audit.ts";
import { updatePermissions } from "../../src/domain/people/roles/permissions.ts";
import { readCompiled } from "../../src/http/words/messages.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { boss } from "../support/office.ts";
import { people, personIsp, staff } from "../support/person-isp.ts";
import { NOW } from "../support/store.ts";

/* What stands on a page of one subscriber, and where it leads, by whoever looks. */

async function pages(account: string, prepare: (app: ReturnType<typeof temporaryApp>) => void = () => {}) {
  const app = temporaryApp({}, await personIsp());
  prepare(app);
  const cookie = await consoleSessionOf(app, account);
  const get = async (path: string) => {
    const answer = await app.app.handle(new Request(`http://localhost${path}`, { headers: { cookie } }));
    return { status: answer.status, html: await answer.text() };
  };
  return { get, [Symbol.dispose]: () => app[Symbol.dispose]() };
}

const flags = (permissions: readonly string[]) => (app: { db: Parameters<typeof updatePermissions>[0] }) =>
  void updatePermissions(
    app.db,
    boss,
    { code: 1, sent: Object.fromEntries(permissions.map((flag) => [flag, "1"])) },
    { now: NOW },
  );

const money = (html: string) => /href="([^"]*)"[^>]*>\s*Paid by mobile money/.exec(html)?.[1];

test.each<[string, string[], string | undefined]>([
  ["who sees payments alone is led to the payment", ["payment_view"], "/console/money/payments/1"],
  ["who sees wallets to the wallet", ["payment_view", "wallet_view"], "/console/subscribers/1/money"],
])("a payment in the timeline: %s, and may open it", async (_, permissions, href) => {
  using site = await pages(staff.technician, flags(permissions));
  const { html } = await site.get("/console/subscribers/1");
  expect(money(html)).toBe(href);
  expect((await site.get(href ?? "")).status).toBe(200);
});

test("what a router is told of somebody who is disabled names no command", async () => {
  using site = await pages(
    staff.technician,
    ({ db }) => void db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 4"),
  );
  const { html } = await site.get(`/console/subscribers/${people.routerAway}`);
  expect([html.includes("the subscriber is disabled"), html.includes("gatehouse ")]).toEqual([true, false]);
});

test("of who is online although disabled, with nobody remembered who did it, a sentence says so", async () => {
  using site = await pages(
    staff.technician,
    ({ db }) => void db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 6"),
  );
  const { html } = await site.get(`/console/subscribers/${people.online}`);
  expect(/<h2>Online, although[^<]*<.h2><p>([^<]{47})/.exec(html)?.[1]).toBe(
    "Who did it is not kept any more. Its router cor",
  );
});

test("a mobile without a digit is no number to dial", async () => {
  using site = await pages(
    staff.technician,
    ({ db }) => void db.$client.run("UPDATE subscribers SET mobile_number = 'call me' WHERE id = 1"),
  );
  const { html } = await site.get("/console/subscribers/1");
  expect([html.includes("call me"), html.includes('"tel:"')]).toEqual([true, false]);
});

test("what a payment would renew does not begin now where it is not known from when", async () => {
  using site = await pages(staff.admin);
  const label = async (query: string) =>
    /<option[^>]*>(Renew [^<]*)</.exec((await site.get(`/console/subscribers/4/pay${query}`)).html)?.[1];
  expect(await label("")).toMatch(/, on from Feb \d, 2030$/);
  expect(await label("?amount=0")).toBe("Renew Family 30 for 1 month");
});

test("many cannot be written to where there is no channel, and no button says so", async () => {
  using site = await pages(staff.admin);
  const { html } = await site.get("/console/subscribers/bulk?all=1&operation=message");
  expect([html.includes("There is no channel to write by."), html.includes("Write to 6</")]).toEqual([
    true,
    false,
  ]);
});

test("each act on a subscriber that the audit log knows has words on the timeline, or stands there as a row of its own", () => {
  const actsIn = (chapter: string) =>
    Object.keys(readCompiled("en")[chapter] ?? {}).flatMap(
      (key) => /^actions\.subscriber\.(\w+)$/.exec(key)?.[1] ?? [],
    );
  expect([...actsIn("timeline"), ...ELSEWHERE].sort()).toEqual(actsIn("trail").sort());
});
