import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createPaymentSource, setPaymentSourceEnabled } from "../../src/domain/desk/incoming/sources.ts";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import type { Subscriber } from "../../src/domain/goods/subscribers/find.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { by } from "../support/isp.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { insertSessions } from "../support/sessions.ts";
import { NOW } from "../support/store.ts";

let isp: PortalIsp;
let notified: Subscriber[];
beforeEach(async () => {
  notified = [];
  isp = await portalIsp({ renewed: (subscriber) => notified.push(subscriber) });
});
afterEach(() => isp.close());

/** Somebody who is signed in, with what the page shows and what its form sends. */
async function signedIn(who: number) {
  const { headers } = await isp.call("GET", "/mobile-auto-login", { bearer: await isp.token(who) });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const sent = { headers: { cookie, "accept-language": "en-GB" } };
  const get = async (path = "/portal") => String((await isp.call("GET", path, sent)).body);
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(await get()) ?? [];
  return {
    get,
    renew: (price: number | string = 2200) =>
      isp.call("POST", "/portal/renew", { ...sent, form: { form_token, price } }),
  };
}

const rows = (sql: string) => isp.db.$client.query(sql).all();
const booked = () =>
  rows("SELECT subscriber_id, amount, balance_after FROM ledger_entries WHERE kind = 'activation'");
const text = (html: string) =>
  html
    .replace(/<head>.*?<\/head>/, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/[\s\u00a0]+/g, " ");

test("price and balance before; what was booked, the new end and the invoice afterwards", async () => {
  const { get, renew } = await signedIn(people.back);
  const before = text(await get());
  expect(before).toContain("Renew Family 30 Adds 1 month, paid from your balance.");
  expect(before).toContain("Your balance US$240.00 Price -US$22.00 Left afterwards US$218.00");
  expect(before).toContain("Renew for US$22.00");

  const { status, headers } = await renew();
  expect([status, headers.get("location")]).toEqual([303, "/portal?renewed=6"]);
  const after = text(await get(headers.get("location") ?? ""));
  expect(after).toContain(
    "Family 30 is renewed. US$22.00 was booked; your balance is US$218.00. Paid until 15 Feb 2030, 12:00. See the invoice",
  );
  expect(after).toContain("31 days left");
  expect(text(await get("/portal/invoices/6"))).toContain("Invoice I-2030-000001 ");
  expect(booked()).toEqual([{ subscriber_id: 7, amount: -2200, balance_after: 21_800 }]);
  expect(notified.map(({ id }) => id)).toEqual([people.back]);
});

test("an invoice says its number and its tax, what was credited, and that it is void", async () => {
  const { get } = await signedIn(people.amara);
  const printout = async () => text(await get("/portal/invoices/3"));
  expect(await printout()).toContain("Net US$18.64 VAT 18% US$3.36 Total US$22.00 ");
  expect(text(await get("/portal/invoices"))).toContain("I-2029-000003 ");
  isp.db.$client.run("UPDATE invoices SET credited = 700 WHERE id = 3");
  expect(await printout()).toContain("Total US$22.00 Credited −US$7.00 ");
  isp.db.$client.run(`UPDATE invoices SET voided_at = ${NOW} WHERE id = 3`);
  expect(await printout()).toContain("State Void since 15 Jan 2030");
});

test("the audit trail says that the subscriber did it, in the portal", async () => {
  await (await signedIn(people.back)).renew();
  expect(
    rows("SELECT actor, source, staff_id, entity_id FROM audit_entries WHERE action = 'subscriber.activate'"),
  ).toEqual([{ actor: "subscriber user7", source: "portal", staff_id: null, entity_id: "7" }]);
});

test("a double press books once, and says so", async () => {
  const { renew } = await signedIn(people.back);
  const [first, second] = await Promise.all([renew(), renew()]);
  expect([first.status, second.status].sort()).toEqual([303, 429]);
  const refused = first.status === 429 ? first : second;
  expect(refused.headers.get("retry-after")).toBe("120");
  expect(text(String(refused.body))).toContain(
    "Your package was renewed a moment ago, and nothing was booked twice. To add another period, wait 120 seconds.",
  );
  expect(booked()).toHaveLength(1);
  expect(notified).toHaveLength(1);
});

describe("refused, with nothing booked", () => {
  test.each([
    ["too little money", people.bilal, 2200, "The renewal costs US$22.00, and your balance is US$2.50."],
    ["another price than was seen", people.back, 2100, "The price is US$22.00 now."],
    ["no price", people.back, "", "The price is US$22.00 now."],
    [
      "a debt to pay later",
      people.postpaid,
      4500,
      "The renewal costs US$45.00, and your balance is -US$45.00.",
    ],
    ["never activated", people.never, 1500, "This package cannot be renewed here."],
  ])("%s", async (_name, who, price, output) => {
    const { renew } = await signedIn(who);
    const { status, body } = await renew(price);
    expect(status).toBe(422);
    expect(text(String(body))).toContain(output);
    expect(text(String(body))).toContain("Nothing was booked");
    expect(booked()).toEqual([]);
    expect(notified).toEqual([]);
  });

  test.each([
    ["a package that is no longer sold", "UPDATE packages SET status = 0 WHERE id = 2"],
    ["a line that is not served over RADIUS", "UPDATE subscribers SET connection_type_id = 3 WHERE id = 7"],
  ])("%s has no button either", async (_name, sql) => {
    isp.db.$client.run(sql);
    const { get, renew } = await signedIn(people.back);
    expect(await get()).not.toContain('action="/portal/renew"');
    const { status, body } = await renew();
    expect(status).toBe(422);
    expect(text(String(body))).toContain("This package cannot be renewed here.");
    expect(booked()).toEqual([]);
  });

  test("another package while one runs, which would be lost; once it is over or used up, the button is there", async () => {
    const { get, renew } = await signedIn(people.back);
    const button = 'action="/portal/renew"';
    isp.db.$client.run(
      `UPDATE services SET package_id = 1, expires_at = ${NOW + 86_400} WHERE subscriber_id = 7`,
    );
    expect(await get()).not.toContain(button);
    const { status, body } = await renew();
    expect([status, booked()]).toEqual([422, []]);
    expect(text(String(body))).toContain("This package cannot be renewed here. Nothing was booked");
    const usedUp = "quota_total = 5, quota_used = 5, quota_exceeded = 'reject'";
    isp.db.$client.run(`UPDATE services SET ${usedUp} WHERE subscriber_id = 7`);
    expect(await get()).toContain(button);
    isp.db.$client.run(`UPDATE services SET quota_used = 0, expires_at = ${NOW - 1} WHERE subscriber_id = 7`);
    expect((await renew()).status).toBe(303);
  });

  test("somebody who has no reseller is sent to the provider", async () => {
    isp.db.$client.run("UPDATE subscribers SET salesperson_id = NULL WHERE id = 7");
    const { body } = await (await signedIn(people.back)).renew();
    expect(text(String(body))).toContain("please ask your provider");
  });
});

test("what is paid later can be renewed with money that is there, never with a debt", async () => {
  isp.db.$client.run(
    `INSERT INTO ledger_entries (isp_id, subscriber_id, amount, balance_after, kind, created_at) VALUES (1, 6, 9500, 5000, 'credit', ${NOW})`,
  );
  const { renew } = await signedIn(people.postpaid);
  expect((await renew(4500)).status).toBe(303);
  expect(booked()).toEqual([{ subscriber_id: 6, amount: -4500, balance_after: 500 }]);
});

test("the number of somebody else's invoice says nothing, nor does that of an old one", async () => {
  const { get } = await signedIn(people.amara);
  for (const number of [5, 3]) expect(await get(`/portal?renewed=${number}`)).toBe(await get("/portal"));
});

describe("how to pay", () => {
  test("the amount that is missing, the reference, the ISP's words, and its link filled in", async () => {
    const page = await (await signedIn(people.bilal)).get();
    expect(text(page)).toContain(
      `To pay US$19.50 for the next renewal Reference ${makeReference(2)} Name it with every payment, so that it reaches your account. By bank transfer to Northlink, IBAN XX00 1234 5678. In cash at 3 Quay Street, 9 to 17. Pay US$19.50 online Once it is in your balance, you can renew here.`,
    );
    expect(page).toContain(`href="https://pay.example/northlink?amount=19.50&amp;ref=${makeReference(2)}"`);
    expect(page).toContain('href="tel:+15550100"');
    expect(page).toContain('href="https://wa.me/15550100"');
    expect(page).not.toContain('action="/portal/renew"');
  });

  test("what a provider tells of renews by itself, and says so", async () => {
    const source = { isp_id: 1, kind: "signed", name: "till", method: "online" };
    const { id } = createPaymentSource(isp.db, by, source, { now: NOW }).source;
    const page = async () => text(await (await signedIn(people.bilal)).get());
    expect(await page()).toContain("your package is renewed by itself and you are online again");
    setPaymentSourceEnabled(isp.db, by, { id, enabled: false }, { now: NOW });
    expect(await page()).toContain("Once it is in your balance, you can renew here.");
  });

  test("a debt is paid too; of what is billed later, the debt alone", async () => {
    expect(text(await (await signedIn(people.postpaid)).get())).toContain("To pay US$45.00 what you owe");
    for (const over of ["quota_exceeded = 'reject'", "expires_at = 1"]) {
      isp.db.$client.run(`UPDATE services SET ${over} WHERE subscriber_id = 6`);
      expect(text(await (await signedIn(people.postpaid)).get())).toContain(
        "To pay US$90.00 for the next renewal, with what you owe",
      );
    }
  });

  test("nobody is asked for money who has enough", async () => {
    const page = text(await (await signedIn(people.amara)).get());
    expect(page).toContain(`How to pay Reference ${makeReference(1)}`);
    expect(page).not.toContain("To pay");
  });

  test("a username with signs of its own stays one value of the link", async () => {
    const { get } = await signedIn(people.bilal);
    isp.db.$client.run(`UPDATE subscribers SET username = 'a&amount=0"><b>' WHERE id = 2`);
    const value = "https://pay.example/northlink?ref={username}";
    changeSetting(isp.db, by, { key: "portal_pay_link", value, ispId: 1 }, { now: NOW });
    const page = await get();
    expect(page).toContain('ref=a%26amount%3D0%22%3E%3Cb%3E"');
    expect(page).not.toContain("<b>");
  });

  test("an ISP that says nothing about it: the amount, the reference, and whom to pay", async () => {
    for (const key of ["portal_pay_text", "portal_pay_link", "portal_phone", "portal_chat"])
      changeSetting(isp.db, by, { key, value: "", ispId: 1 }, { now: NOW });
    const page = text(await (await signedIn(people.bilal)).get());
    expect(page).toContain("To pay US$19.50");
    expect(page).toContain("Pay to your provider, with the reference.");
    expect(text(await (await signedIn(people.amara)).get())).toContain(`Reference ${makeReference(1)}`);
  });
});

test("who has expired and is connected all the same is told what that means, and never stands as online", async () => {
  insertSessions(isp.db, { acctSessionId: "w", subscriberId: people.bilal, framedIp: "100.64.0.9" });
  const page = text(await (await signedIn(people.bilal)).get());
  expect(page).toContain("Your package has expired");
  expect(page).toContain("Your router is connected, but without internet access until then.");
  expect(page).toContain("We keep your line for 30 days; come back any time.");
  expect(page).toContain("Connected, no internet Expired");
  expect(page).not.toContain("Online");
});

test("an invoice has the ISP's address and tax number", async () => {
  const page = text(await (await signedIn(people.amara)).get("/portal/invoices/3"));
  expect(page).toContain("Northlink Ltd 3 Quay Street Riverton 1234 VAT XX123456789");
});
