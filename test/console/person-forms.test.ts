import { describe, expect, test } from "bun:test";
import { toKept } from "../../src/http/console/kept.ts";
import { subscriberRoutes } from "../../src/http/console/pages/subscriber/routes.tsx";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { RecordedRouters } from "../support/recorded-routers.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { people, personIsp, staff } from "../support/person-isp.ts";
import { cardOf } from "../support/redeem-cards.ts";

/** The pages of one subscriber as a browser without a script sees them. */
async function desk(as: keyof typeof staff = "admin") {
  const store = await personIsp();
  const routers = new RecordedRouters();
  const app = temporaryApp({ routers }, store);
  const cookie = await consoleSessionOf(app, staff[as]);
  const ask = async (path: string, init: RequestInit = {}) => {
    const url = `http://localhost/console/subscribers/${path}`;
    const answer = await app.app.handle(
      new Request(url, { ...init, headers: { cookie, "accept-language": "en-GB", ...init.headers } }),
    );
    return { status: answer.status, text: await answer.text(), location: answer.headers.get("location") };
  };
  const token = /name="form_token" value="([^"]+)"/.exec((await ask(`${people.online}`)).text)?.[1] ?? "";
  const send = (path: string, fields: Record<string, string> | [string, string][] = {}) => {
    const body = new URLSearchParams(fields);
    body.set("form_token", token);
    if (!body.has("key")) body.set("key", crypto.randomUUID());
    return ask(path, { method: "POST", body });
  };
  const count = (table: string) =>
    app.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  return { ...app, routers, ask, send, count, [Symbol.dispose]: () => app[Symbol.dispose]() };
}

const forms = subscriberRoutes
  .filter(({ method }) => method === "POST")
  .map(({ path }) => path.slice("/console/subscribers/:id/".length));

test.each(forms.filter((path) => !["disconnect", "unlock", "take-device", "device", "edit"].includes(path)))(
  "%s is refused to a technician, and changes nothing",
  async (path) => {
    using app = await desk("technician");
    const before = app.db.$client.query("SELECT total_changes() AS n").get();
    const { status } = await app.send(`${people.newDevice}/${path}`, { hours: "1", reason: "x", note: "x" });
    expect(status).toBe(403);
    expect(app.db.$client.query("SELECT total_changes() AS n").get()).toEqual(before);
  },
);

test("a form without its token changes nothing", async () => {
  using app = await desk();
  const { status } = await app.ask(`${people.newDevice}/disable`, {
    method: "POST",
    body: new URLSearchParams(),
  });
  expect(status).toBe(403);
  expect((await app.ask(`${people.newDevice}`)).text).not.toContain("Disabled by staff");
});

test("a renewal is sold once, however often its form is sent, and says what it did", async () => {
  using app = await desk();
  const id = people.expired;
  credit(app.db, by, { subscriberId: id, amount: 5000 }, { now: app.clock.now });
  const form = await app.ask(`${id}/renew`);
  expect(form.text).toContain("Renew for US$22.00");
  const key = /name="key" value="([^"]+)"/.exec(form.text)?.[1] ?? "";
  const before = app.count("invoices") ?? 0;
  for (const _ of [1, 2]) {
    const { status, location } = await app.send(`${id}/renew`, { key, package_id: "2" });
    expect([status, location]).toEqual([303, `/console/subscribers/${id}`]);
  }
  expect(app.count("invoices")).toBe(before + 1);
  expect((await app.ask(`${id}`)).text).toMatch(
    /Family 30 is renewed[^]*US\$22\.00 booked\..*In the wallet: US\$28\.00\./,
  );
  const again = await app.send(`${id}/renew`, { key: "another", package_id: "2" });
  expect(again.status).toBe(422);
  expect(again.text).toContain("The subscriber was activated");
});

test.each(["renew", "package"])("%s sells nothing at a price that is not the one shown", async (path) => {
  using app = await desk();
  const id = people.expired;
  credit(app.db, by, { subscriberId: id, amount: 5000 }, { now: app.clock.now });
  const form = await app.ask(`${id}/${path}`);
  const fields = Object.fromEntries(
    Array.from(form.text.matchAll(/name="(key|seen_\w+)" value="([^"]+)"/g), ([, name, value]) => [
      name,
      value,
    ]),
  );
  app.db.$client.run("UPDATE packages SET price = 2500 WHERE id = 2");
  const before = app.count("invoices");
  const { status, text } = await app.send(`${id}/${path}`, { ...fields, package_id: "2" });
  expect(status).toBe(409);
  expect(text).toContain("costs 25.00 by now, it was 22.00; nothing was done");
  expect(app.count("invoices")).toBe(before);
});

test.each([
  [
    "an amount that is there twice",
    [
      ["amount", "5"],
      ["amount", "5"],
    ],
  ],
  ["an amount that is too long", [["amount", `5.${"0".repeat(30)}`]]],
  ["three decimals", [["amount", "5.005"]]],
  ["less than nothing", [["amount", "-5"]]],
  [
    "a note that is too long",
    [
      ["amount", "5"],
      ["note", "x".repeat(501)],
    ],
  ],
  [
    "a reference that is there twice",
    [
      ["amount", "5"],
      ["method", "bank_transfer"],
      ["reference", "A1"],
      ["reference", "A2"],
    ],
  ],
] satisfies [string, [string, string][]][])("nothing is taken of a payment with %s", async (_, fields) => {
  using app = await desk();
  const id = people.expired;
  credit(app.db, by, { subscriberId: id, amount: 5000 }, { now: app.clock.now });
  const before = [app.count("payments"), app.count("invoices")];
  const sent: [string, string][] = [
    ["key", "k"],
    ["package", "2"],
    ["do", "renew"],
    ["seen_balance", "5000"],
    ["seen_price", "2200"],
  ];
  const method: [string, string][] = fields.some(([name]) => name === "method") ? [] : [["method", "cash"]];
  const { status } = await app.send(`${id}/pay`, [...sent, ...method, ...fields]);
  expect(status).toBe(422);
  expect([app.count("payments"), app.count("invoices")]).toEqual(before);
});

test("what a router answers is text, whatever it says", async () => {
  using app = await desk();
  const reason = `"'><img src=x onerror=alert(1)><hx-partial hx-target="body">`;
  app.routers.answer = { kind: "failed", reason, isSilent: false };
  await app.send(`${people.online}/disconnect`);
  const { text } = await app.ask(`${people.online}`);
  expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(text).not.toMatch(/<img src=x|<hx-partial/);
});

test("a part that an open page asks for in vain keeps no session awake", async () => {
  using app = await desk();
  const seen = () => app.db.$client.query("SELECT seen_at FROM staff_sessions").get();
  const before = seen();
  app.clock.now += 600;
  const headers = { "hx-request": "true", "hx-request-type": "partial", "x-live": "1" };
  expect((await app.ask("999999", { headers })).status).toBe(404);
  await Bun.sleep(0); // what is noted is noted behind the answer
  expect(seen()).toEqual(before);
});

test("a page of another site gets nothing compressed, whose length would tell what is in it", async () => {
  using app = await desk();
  const answer = async (site: string) => {
    const headers = { "accept-encoding": "gzip", "sec-fetch-site": site };
    return (await app.app.handle(new Request("http://localhost/console/sign-in", { headers }))).headers;
  };
  expect((await answer("same-origin")).get("content-encoding")).toBe("gzip");
  expect((await answer("same-site")).get("content-encoding")).toBeNull();
});

test.each([
  ["extend", { duration: "1 day", reason: "storm" }],
  ["trust", {}],
])("%s gives its time once, however often its form is sent", async (path, fields) => {
  using app = await desk();
  const before = app.count("extensions") ?? 0;
  for (const _ of [1, 2]) {
    const { status } = await app.send(`${people.newDevice}/${path}`, { ...fields, key: "pressed" });
    expect(status).toBe(303);
  }
  expect(app.count("extensions")).toBe(before + 1);
});

test("another package: now, with what is unused given back, or at the renewal without a charge", async () => {
  using app = await desk();
  const id = people.newDevice;
  credit(app.db, by, { subscriberId: id, amount: 5000 }, { now: app.clock.now });
  const quoted = await app.ask(`${id}/package?package_id=3&credit_unused=1`);
  expect(quoted.text).toContain("Given back of what is unused");
  await app.send(`${id}/package`, { package_id: "3", when: "later" });
  const laterWords = "Family 50 from the next renewal on";
  expect((await app.ask(`${id}`)).text).toContain(laterWords);
  // the head goes on saying it, when the message is gone
  expect((await app.ask(`${id}`)).text.replaceAll(/[\u2068\u2069]/g, "")).toContain(laterWords);
  expect(app.count("invoices")).toBe(Object.keys(people).length);
  await app.send(`${id}/package`, { package_id: "3", credit_unused: "1", key: "k" });
  expect((await app.ask(`${id}`)).text).toContain("Family 50 runs now");
  expect(app.count("credit_notes")).toBe(1);
});

const turns: [path: string, fields: Record<string, string>, said: string][] = [
  ["disable", {}, "Disabled"],
  ["enable", {}, "Enabled"],
  ["freeze", {}, "Frozen"],
  ["thaw", {}, "Thawed"],
  ["extend", { duration: "1d 24h", reason: "storm" }, "Extended until"],
  ["device", { mac: "aabb.ccdd.ee01", do: "lock" }, "Locked to AA:BB:CC:DD:EE:01"],
  ["device", { mac: "AA-BB-CC-DD-EE-02", do: "change" }, "The device is AA:BB:CC:DD:EE:02 now"],
  ["unlock", {}, "Unlocked"],
  ["note", { note: "called" }, "Noted"],
  ["archive", {}, "Archived"],
  ["restore", {}, "Brought back"],
];
test("each press says what it did, on the page that follows", async () => {
  using app = await desk();
  const id = people.newDevice;
  for (const [path, fields, words] of turns) {
    const { status } = await app.send(`${id}/${path}`, fields);
    expect([path, status]).toEqual([path, 303]);
    expect((await app.ask(`${id}`)).text).toContain(`<strong>${words}`);
  }
});

test.each<[path: string, fields: Record<string, string>, words: string]>([
  ["extend", { duration: "0", reason: "x" }, "Must be a time such as 12 hours or 3 days"],
  ["extend", { duration: "5", reason: "" }, "It stands in the timeline"],
  ["note", { note: " " }, "Must be text"],
  ["device", { mac: "router", do: "lock" }, "must be"],
  ["password", { password: "x".repeat(21) }, "20"],
  ["edit", { was_name: "Joseph Mwangi", name: "" }, "Nothing was saved"],
  ["edit", { was_static_ip: "", static_ip: "10.0.0" }, "Nothing was saved"],
])("%s with %j says in the form what is wrong", async (path, fields, words) => {
  using app = await desk();
  const { status, text } = await app.send(`${people.newDevice}/${path}`, fields);
  expect(status).toBe(422);
  expect(text).toContain(words);
});

test.each(["0", "x", "99", "1e3", "99999999999999999999"])("there is no subscriber %s", async (id) => {
  using app = await desk();
  expect((await app.ask(id)).status).toBe(404);
  expect((await app.send(`${id}/enable`)).status).toBe(404);
});

test("the form to edit names each kind of connection by its own word", async () => {
  using app = await desk();
  const { text } = await app.ask(`${people.online}/edit`);
  const options = /<select[^>]*name="connection_type_id"[^]*?<\/select>/.exec(text)?.[0] ?? "";
  const words = [...options.matchAll(/<option[^>]*value="([^"]*)"[^>]*>([^<]*)/g)].map(([, value, label]) => [
    value,
    label,
  ]);
  expect(words.slice(0, 2)).toEqual([
    ["1", "PPPoE"],
    ["2", "hotspot"],
  ]);
});

test("who came without its kind of connection and mobile is asked for them, not for an identity, and keeps what is not said", async () => {
  using app = await desk();
  const id = people.online;
  app.db.$client
    .query("UPDATE subscribers SET any_connection = 1, nic_number = NULL, mobile_number = NULL WHERE id = ?")
    .run(id);
  expect((await app.ask(`${id}`)).text).toContain("PPPoE or hotspot");
  const { text } = await app.ask(`${id}/edit`);
  expect(text.match(/Missing: ask for it\./g)).toHaveLength(1);
  expect(text).toContain("PPPoE or hotspot");
  const row = () =>
    app.db.$client
      .query<Record<string, unknown>, [number]>(
        "SELECT connection_type_id AS type, any_connection AS any, nic_number AS nic, box_number AS box FROM subscribers WHERE id = ?",
      )
      .get(id);
  const opened = {
    was_connection_type_id: "any",
    connection_type_id: "any",
    was_nic_number: "",
    nic_number: "",
  };
  expect(
    (
      await app.send(`${id}/edit`, {
        ...opened,
        was_box_number: String(row()?.["box"] ?? ""),
        box_number: "77",
      })
    ).status,
  ).toBe(303);
  expect(row()).toMatchObject({ any: 1, nic: null, box: "77" });
  expect(
    (await app.send(`${id}/edit`, { ...opened, connection_type_id: "2", nic_number: "ID 7" })).status,
  ).toBe(303);
  expect(row()).toMatchObject({ type: 2, any: 0, nic: "ID 7" });
  expect((await app.send(`${id}/edit`, { ...opened, connection_type_id: "1" })).status).toBe(422);
});

test("a top-up is quoted as it would be sold, sold once, and never at another price", async () => {
  using app = await desk();
  const { $client } = app.db;
  const path = `${people.online}/top-up`;
  expect((await app.ask(path)).text).toContain("There is no top-up to sell");
  $client.run(
    `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, top_up_bytes, top_up_rolls, created_at)
     VALUES (90, 1, '5 GB more', 100, 'prepaid', 1, 'day', 5000000000, 1, 0)`,
  );
  $client.run(
    "UPDATE services SET tiers = '1GB 1M/1M', rate_limit = '9M/9M', quota_total = 0, quota_used = 2000000000 WHERE subscriber_id = ?",
    [people.online],
  );
  credit(app.db, by, { subscriberId: people.online, amount: 5000 }, { now: app.clock.now });
  const page = await app.ask(`${people.online}`);
  expect(page.text).toContain("Slowed down to 1 / 1 Mbit/s");
  const { text } = await app.ask(path);
  expect(text).toContain("4 GB");
  const key = /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const fields = { package_id: "90", seen_package: "90", seen_price: "100", key };
  expect((await app.send(path, { ...fields, seen_price: "50", key: "other" })).status).toBe(409);
  expect((await app.send(path, fields)).location).toBe(`/console/subscribers/${people.online}`);
  await app.send(path, fields);
  const extra = $client
    .query("SELECT extra_bytes FROM services WHERE subscriber_id = ?")
    .values(people.online);
  expect(extra).toEqual([[5_000_000_000]]);
  expect((await app.ask(`${people.online}`)).text).not.toContain("Slowed down");
});

test.each(["top-up", "package", "pay"])("%s says nothing of a package of another ISP", async (form) => {
  using app = await desk();
  const online = { subscriberId: people.online };
  const { $client } = app.db;
  $client.run(
    `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, top_up_bytes, created_at)
     VALUES (91, 2, 'Rival Gold', 4711, 'prepaid', 1, 'day', 5000000000, 0)`,
  );
  const seen = { seen_package: "91", seen_price: "1", seen_balance: String(readBalance(app.db, online)) };
  const paying = { package: "91", do: "renew", amount: "", method: "cash" };
  const fields = { package_id: "91", ...seen, ...paying, key: crypto.randomUUID() };
  const { status, text } = await app.send(`${people.online}/${form}`, fields);
  expect([404, 422]).toContain(status);
  for (const word of ["Rival Gold", "47.11"]) expect(text).not.toContain(word);
});

test.each(["22,50", "1,5", "1,5,", "2,00,0"])(
  "%s is no amount for any form of money, and books nothing",
  async (amount) => {
    using app = await desk();
    const before = app.count("ledger_entries");
    const fields = { amount, method: "cash", package: "none", do: "take", reason: "typed by hand" };
    for (const form of ["pay", "refund", "correct"]) {
      const { status, text } = await app.send(`${people.online}/${form}`, fields);
      expect([form, status, text.includes("at most two decimals")]).toEqual([form, 422, true]);
    }
    expect(app.count("ledger_entries")).toBe(before);
  },
);

test("2,000 is two thousand where a payment is taken", async () => {
  using app = await desk();
  const { status } = await app.send(`${people.online}/pay`, {
    amount: "2,000",
    method: "cash",
    package: "none",
    do: "take",
    sure: "200000",
  });
  expect(status).toBe(303);
  expect(app.db.$client.query("SELECT amount FROM payments ORDER BY id DESC LIMIT 1").values()).toEqual([
    [200_000],
  ]);
});

test("the code of a fibre is no secret, and is kept while its session is begun anew", () => {
  const fields = { name: "Ann", was_fiber_code: "F-1", fiber_code: "F-2", password: "p", code: "123456" };
  expect(toKept("/console/subscribers/1/edit", fields)).toMatchObject({
    fields: [
      ["name", "Ann"],
      ["was_fiber_code", "F-1"],
      ["fiber_code", "F-2"],
    ],
    secrets: ["password", "code"],
  });
});

test.each([null, "0/0"])("a line whose rate is %s is said to have no limit", async (rate) => {
  using app = await desk();
  app.db.$client.run(
    "UPDATE services SET rate_limit = ?, quota_total = 9000, quota_used = 1000, fair_window = 'day' WHERE subscriber_id = ?",
    [rate, people.online],
  );
  const { text } = await app.ask(`${people.online}`);
  const card = /<section[^>]*id="fair-use".*?<\/section>/s.exec(text)?.[0] ?? "";
  expect(card.replaceAll(/<[^>]*>/g, "")).toContain("Runs without a limit of speed");
  expect(text.replaceAll(/<[^>]*>/g, "")).toContain("no limit");
});

test("a volume of the day that is used up is said to be so, and not to be slower", async () => {
  using app = await desk();
  app.db.$client.run(
    "UPDATE services SET rate_limit = '9M/9M', quota_total = 1000, quota_used = 1000, fair_window = 'day' WHERE subscriber_id = ?",
    [people.online],
  );
  const card = async () =>
    /<section[^>]*id="fair-use".*?<\/section>/s.exec((await app.ask(`${people.online}`)).text)?.[0] ?? "";
  expect(await card()).toContain("The data is used up");
  for (const words of ["Slowed down", "the last tier"]) expect(await card()).not.toContain(words);
  app.db.$client.run("UPDATE services SET quota_exceeded = '1M/1M'");
  expect(await card()).toContain("Slowed down to 1 / 1 Mbit/s");
});

test("a card of a top-up says that it adds, before and after it does", async () => {
  using app = await desk();
  const { $client } = app.db;
  $client.run(
    `INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, top_up_bytes, created_at)
     VALUES (90, 1, '5 GB more', 100, 'prepaid', 1, 'day', 5000000000, 0)`,
  );
  $client.run("UPDATE services SET quota_total = 1000 WHERE subscriber_id = ?", [people.online]);
  const code = cardOf(app.db, { kind: "package", package_id: 90, price: "1.00" });
  const path = `${people.online}/card`;
  const { text } = await app.send(path, { code });
  expect(text).toContain("adds 5 GB more to what runs.");
  const key = /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";
  expect((await app.send(path, { code, sure: "1", key })).status).toBe(303);
  expect((await app.ask(`${people.online}`)).text).toContain("5 GB more was added; the package runs until");
});

describe("what is given back of the package that runs is said before and after, and what is lost", () => {
  const id = people.newDevice;
  const ask = `${id}/package?package_id=3`;
  const running = "SELECT id FROM invoices WHERE subscriber_id = ?";
  test.each<[string, (app: Awaited<ReturnType<typeof desk>>) => unknown, string]>([
    [
      "no invoice is for what is left",
      ({ db }) =>
        db.$client.run(`UPDATE invoices SET period_end = period_start WHERE id IN (${running})`, [id]),
      "no invoice is for the time that is left",
    ],
    [
      "it cost nothing",
      ({ db }) => db.$client.run(`UPDATE invoices SET amount = 0 WHERE id IN (${running})`, [id]),
      "what runs cost nothing",
    ],
    [
      "its volume is used up",
      ({ db }) =>
        db.$client.run("UPDATE services SET quota_total = 1000, quota_used = 1000 WHERE subscriber_id = ?", [
          id,
        ]),
      "its volume is used up",
    ],
  ])("nothing, for %s", async (_, before, why) => {
    using app = await desk();
    credit(app.db, by, { subscriberId: id, amount: 5000 }, { now: app.clock.now });
    before(app);
    const { text } = await app.ask(`${ask}&credit_unused=1`);
    expect(text).toContain(`Nothing is given back: ${why}`);
    expect(text).toMatch(/\d+d [^<]* are lost, which runs until/);
    const { text: sold } = await app.send(`${id}/package`, { package_id: "3", credit_unused: "1", key: "k" });
    expect(`${sold}${(await app.ask(`${id}`)).text}`).toContain(`Nothing is given back: ${why}`);
    expect(app.count("credit_notes")).toBe(0);
  });

  test("not ticked, what could be", async () => {
    using app = await desk();
    credit(app.db, by, { subscriberId: id, amount: 5000 }, { now: app.clock.now });
    expect((await app.ask(ask)).text).toMatch(/are lost, which runs until [^<]*can be given back: tick it/);
    expect((await app.ask(`${ask}&credit_unused=1`)).text).not.toContain("can be given back: tick it");
  });

  test("nothing, where it is over already, and then nothing is lost", async () => {
    using app = await desk();
    app.db.$client.run("UPDATE services SET expires_at = ? WHERE subscriber_id = ?", [
      app.clock.now - 60,
      id,
    ]);
    app.db.$client.run("UPDATE invoices SET period_end = ? WHERE subscriber_id = ?", [
      app.clock.now - 60,
      id,
    ]);
    const { text } = await app.ask(`${ask}&credit_unused=1`);
    expect(text).toContain("what was paid for is over");
    expect(text).not.toContain("are lost");
  });
});

test("a port of a box on which somebody hangs is asked about once", async () => {
  using app = await desk();
  const [one, other] = [people.newDevice, Object.values(people).find((id) => id !== people.newDevice) ?? 0];
  app.db.$client.run("UPDATE subscribers SET box_number = 'BOX-7', uplink_port = '77' WHERE id = ?", [other]);
  app.db.$client.run("UPDATE subscribers SET box_number = NULL, uplink_port = NULL WHERE id = ?", [one]);
  const fields = { was_box_number: "", box_number: "BOX-7", was_uplink_port: "", uplink_port: "77" };
  const send = (more: Record<string, string> = {}) => app.send(`${one}/edit`, { ...fields, ...more });
  const saved = () =>
    app.db.$client
      .query<{ port: string | null }, [number]>("SELECT uplink_port AS port FROM subscribers WHERE id = ?")
      .get(one)?.port ?? null;
  const answer = await send();
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("Port 77 of BOX-7 is taken.");
  expect(answer.text).toContain(`/console/subscribers/${other}`);
  expect(saved()).toBeNull();
  expect((await send({ shared_port: "BOX-7 4" })).status).toBe(422);
  expect((await send({ shared_port: "BOX-7 77" })).status).toBe(303);
  expect(saved()).toBe("77");
});
