import { afterEach, beforeEach, expect, test } from "bun:test";
import { openWriter, setBusyTimeout } from "../../db/open.ts";
import type { Subscriber } from "../../src/domain/goods/subscribers/find.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { cardOf } from "../support/redeem-cards.ts";
import { NOW } from "../support/store.ts";

let isp: PortalIsp;
let notified: Subscriber[];
beforeEach(async () => {
  notified = [];
  isp = await portalIsp({ renewed: (subscriber) => notified.push(subscriber) });
  isp.db.$client
    .query(
      `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, top_up_bytes, top_up_days, created_at)
       VALUES (20, 1, '50 GB more', 500, 'prepaid', 1, 'day', 50000000000, 0, 0), (21, 1, 'A week', 9900, 'prepaid', 1, 'day', 0, 7, 0)`,
    )
    .run();
  isp.db.$client
    .query(
      `UPDATE services SET tiers = '100GB 5M/5M', hours = 'daily 11:00-13:00 free 80M/80M', fair_window = 'month',
         window_start = ?, quota_total = 0, quota_used = 120000000000 WHERE subscriber_id = ?`,
    )
    .run(NOW - 14.5 * 86_400, people.amara);
});
afterEach(() => isp.close());

const text = (html: string) =>
  html
    .replace(/<head>.*?<\/head>/, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/[\s\u00a0]+/g, " ");

async function signedIn(who: number) {
  const { headers } = await isp.call("GET", "/mobile-auto-login", { bearer: await isp.token(who) });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const sent = { headers: { cookie, "accept-language": "en-GB" } };
  const get = async (path = "/portal") => String((await isp.call("GET", path, sent)).body);
  const page = await get();
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(page) ?? [];
  const [, after = ""] = /name="after" value="(\d+)"/.exec(page) ?? [];
  const buy = (fields: object) =>
    isp.call("POST", "/portal/top-up", {
      ...sent,
      form: { form_token, package: 20, price: 500, after, ...fields },
    });
  const card = (path: string, code: string) =>
    isp.call("POST", path, { ...sent, form: { form_token, code } });
  return { get, buy, card };
}

test("the speed and why, when it counts anew, and what can be bought; bought once, however often it is pressed", async () => {
  const { get, buy } = await signedIn(people.amara);
  const before = text(await get());
  expect(before).toContain("Fair use 80 Mbit/s down · 80 Mbit/s up");
  expect(before).toContain("Until 13:00 nothing you use counts Counts anew on 25 Jan 2030, 12:00");
  expect(before).toContain(
    "50 GB more Adds 50 GB, paid from your balance. To be used by 25 Jan 2030, 12:00. Buy for US$5.00",
  );
  expect(before).toContain(
    "A week Adds 7 days, paid from your balance. Costs US$99.00; pay it into your balance first.",
  );

  const { status, headers } = await buy({});
  expect(status).toBe(303);
  expect(text(await get(headers.get("location") ?? ""))).toContain("50 GB more was added to your package.");
  expect(notified.map(({ id }) => id)).toEqual([people.amara]);
  const again = await buy({});
  expect([again.status, text(String(again.body)).includes("nothing was booked twice")]).toEqual([409, true]);
  const extra = () =>
    isp.db.$client.query("SELECT extra_bytes FROM services WHERE subscriber_id = 1").values();
  expect(extra()).toEqual([[50_000_000_000]]);
});

test("a card of a top-up says what it adds, and adds it by the press that follows", async () => {
  const code = cardOf(isp.db, { kind: "package", package_id: 20, price: "5.00" });
  const { get, card } = await signedIn(people.amara);
  expect(text(await get())).toContain("Have a card?");
  const seen = text(String((await card("/portal/card", code)).body));
  expect(seen).toContain("Adds 50 GB to your package. Paid until 25 Jan 2030, 12:00. The card pays for it");
  expect(seen).toContain("Redeem the card");
  for (const words of ["Activates", "No speed limit", "0 days"]) expect(seen).not.toContain(words);
  const done = await card("/portal/card/redeem", code);
  expect(done.status).toBe(303);
  expect(text(await get(done.headers.get("location") ?? ""))).toContain("The card is redeemed.");
  expect(notified.map(({ id }) => id)).toEqual([people.amara]);
  const extra = isp.db.$client.query("SELECT extra_bytes FROM services WHERE subscriber_id = 1").values();
  expect(extra).toEqual([[50_000_000_000]]);
});

test.each([
  ["another price", { price: 400 }],
  ["no top-up", { package: 2, price: 2200 }],
  ["more than there is", { package: 21, price: 9900 }],
  ["none at all", { package: "x" }],
])("%s is refused, and nothing is booked", async (_, fields) => {
  const { buy } = await signedIn(people.amara);
  const { status, body } = await buy(fields);
  expect([status, text(String(body)).includes("Nothing was booked")]).toEqual([422, true]);
  expect(notified).toEqual([]);
});

test("a line without fair use has none of it on its page", async () => {
  const page = text(await (await signedIn(people.back)).get());
  expect(page).not.toContain("Fair use");
  expect(page).not.toContain("Need more?");
});

test("whose volume of the day is used up hears when it counts anew, and nothing of a speed", async () => {
  const window = `quota_total = 1000, quota_used = 1000, quota_crossed_at = ${NOW - 60}, fair_window = 'day', window_start = ${NOW - 43_200}`;
  isp.db.$client.run(`UPDATE services SET tiers = NULL, hours = NULL, ${window} WHERE subscriber_id = 1`);
  const again = "Counts anew on 16 Jan 2030, 00:00";
  const page = text(await (await signedIn(people.amara)).get());
  expect(page).toContain(`Fair use Your data is used up ${again}`);
  expect(page.split(again)).toHaveLength(3); // beside its state too
  expect(page).toContain("Buy for US$5.00");
  for (const words of ["Slower for now", "buy a larger one"]) expect(page).not.toContain(words);
  isp.db.$client.run("UPDATE sessions SET framed_ip = '127.0.0.1' WHERE stopped_at IS NULL");
  const captive = await (
    await fetch(`${isp.walledOrigin}/news`, { headers: { "accept-language": "en-GB" } })
  ).text();
  expect(text(captive)).toContain("Your data is used up");
  expect(text(captive)).toContain(again);
});

test("what is bought while another connection writes waits for it, and is bought once", async () => {
  const { buy } = await signedIn(people.amara);
  setBusyTimeout(isp.db, 50);
  const other = openWriter(isp.folder, { busyTimeout: 0 });
  other.$client.run("BEGIN IMMEDIATE");
  const bought = buy({});
  await Bun.sleep(300);
  expect(notified).toEqual([]);
  other.$client.run("ROLLBACK");
  expect((await bought).status).toBe(303);
  expect(notified.map(({ id }) => id)).toEqual([people.amara]);
  other.$client.close();
});
