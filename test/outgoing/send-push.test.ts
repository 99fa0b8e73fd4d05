import { afterAll, beforeAll, expect, test } from "bun:test";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { changeOwnMessages } from "../../src/domain/desk/portal/own-messages.ts";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { addPushRules } from "../../src/domain/around/messages/usual.ts";
import { planMessages } from "../../src/domain/around/messages/plan.ts";
import { addOwnPush, addStaffPush, ownPushDevices } from "../../src/domain/people/push/devices.ts";
import { vapidKeys } from "../../src/domain/people/push/vapid.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import type { Actor } from "../../src/domain/core/actor/actor.ts";
import { MessageSender } from "../../src/outgoing/message-sender.ts";
import { sendPush } from "../../src/outgoing/send-push.ts";
import { by } from "../support/isp.ts";
import { boss, office } from "../support/office.ts";
import { aBrowser, browserKeys, decrypted, pushService, vapidClaims } from "../support/push-receiver.ts";
import { NOW } from "../support/store.ts";

const statuses = new Map<string, number>();
let service: Awaited<ReturnType<typeof pushService>>;
beforeAll(async () => {
  service = await pushService((path) => statuses.get(path) ?? 201);
});
afterAll(() => service[Symbol.dispose]());

const names = {
  expires_soon: "Tomorrow",
  payment_receipt: "Paid",
  online_again: "Online",
  router_silent: "Silent",
  router_back: "Back",
  payment_unmatched: "Someone",
};

/** An ISP with a channel of notifications and its rules; nobody has asked for any. */
async function scene() {
  const store = await office();
  const { db } = store;
  let now = NOW;
  createChannel(
    db,
    by,
    { isp_id: 1, name: "App", kind: "push", address: "device", per_minute: 6000 },
    { now },
  );
  addPushRules(db, by, { channelId: 1, names }, { now });
  db.$client.run("UPDATE message_rules SET quiet_from = NULL, quiet_to = NULL");
  service.got.length = 0;
  statuses.clear();
  const sender = new MessageSender({ db, by, clock: () => now, random: () => 0, world: service.world });
  return {
    db,
    /** A browser of somebody, at a path of the push service. */
    browser(who: Actor, path: string) {
      const keys = browserKeys();
      const browser = aBrowser(service.endpoint(path), keys);
      if (who.subscriberId === null) addStaffPush(db, who, browser, { now });
      else addOwnPush(db, who, { subscriberId: who.subscriberId, ...browser }, { now });
      return keys;
    },
    pay: () => takePayment(db, boss, { subscriberId: 1, amount: 1800, method: "cash" }, { now }),
    async run(seconds = 0) {
      now += seconds;
      await planMessages(db, by, { now });
      sender.run();
      await sender.settled();
    },
    now: () => now,
    devices: () => ownPushDevices(db, self(1), { subscriberId: 1 }).length,
    states: () =>
      db.$client
        .query<{ state: string; reason: string | null; address: string | null }, []>(
          "SELECT state, reason, address FROM messages ORDER BY id",
        )
        .all(),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

const self = (subscriberId: number): Actor => ({ ...boss, staffId: null, subscriberId, admin: false });

test("what our receiver decrypts is what RFC 8291 has (5, appendix A)", () => {
  const keys = browserKeys(
    "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url"),
  );
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  expect(decrypted(Buffer.from(body, "base64url"), keys)).toBe("When I grow up, I want to be a watermelon");
});

test("a payment shows itself in each browser of the subscriber, sealed for that one and signed by the box", async () => {
  using app = await scene();
  const phone = app.browser(self(1), "/phone");
  const desk = app.browser(self(1), "/desk");
  app.browser(self(2), "/other");
  app.pay();
  await app.run();
  expect(service.got.map(({ path }) => path).sort()).toEqual(["/desk", "/phone"]);
  for (const { path, body, headers } of service.got) {
    const own = path === "/phone" ? phone : desk;
    expect(JSON.parse(decrypted(body, own))).toEqual({
      id: expect.stringMatching(/^msg_/),
      title: expect.stringMatching(/^Receipt R-/),
      body: expect.stringContaining("18.00"),
      language: "en",
      opens: "/portal",
    });
    expect(() => decrypted(body, own === phone ? desk : phone)).toThrow();
    expect(body.length).toBeLessThanOrEqual(4096);
    expect(Object.fromEntries(headers)).toMatchObject({
      ttl: "86400",
      urgency: "normal",
      topic: expect.stringMatching(/^[0-9a-f]{32}$/),
      "content-encoding": "aes128gcm",
    });
    const { claims, key } = vapidClaims(headers.get("authorization") ?? "");
    expect(key).toBe(vapidKeys(app.db).publicKey);
    expect(claims).toMatchObject({
      aud: new URL(service.endpoint("/")).origin,
      sub: "https://my.isp.example",
    });
    expect(claims.exp - Date.now() / 1000).toBeLessThan(86_400);
  }
  expect(app.states()).toEqual([
    { state: "sent", reason: null, address: new URL(service.endpoint("/")).host },
  ]);
});

test.each(["👩", "ক", '"', "a"])(
  "a long text of %s is cut to what every push service takes",
  async (sign) => {
    const keys = browserKeys();
    const { input, site } = aBrowser(service.endpoint("/long"), keys);
    const { endpoint, p256dh, auth } = input;
    using app = await scene();
    const push = {
      targets: [{ id: 1, endpoint, site, p256dh, auth }],
      keys: vapidKeys(app.db),
      opens: "/console",
    };
    const words = { subject: sign.repeat(200), body: sign.repeat(2000), language: "en" };
    const message = { id: `msg_${"0".repeat(32)}`, to: "", username: "", ...words, push };
    expect(await sendPush(message, service.world)).toMatchObject({ kind: "sent" });
    const shown = JSON.parse(decrypted(service.got[0]?.body ?? Buffer.alloc(0), keys));
    expect([shown.title, shown.body].map((text: string) => text.endsWith(`${sign}…`))).toEqual([true, true]);
    expect([...shown.body].length).toBe(sign === "👩" ? 800 : 900);
  },
);

test("who asked for none has no row in the outbox, and who wants no messages gets none", async () => {
  using app = await scene();
  app.pay();
  await app.run();
  expect(app.states()).toEqual([]);
  app.browser(self(1), "/phone");
  changeOwnMessages(app.db, self(1), { subscriberId: 1, language: null, off: true }, { now: app.now() });
  app.pay();
  await app.run();
  expect(app.states()).toMatchObject([{ state: "skipped", reason: "the subscriber does not want messages" }]);
  expect(service.got).toEqual([]);
});

test("the end comes up a day before, and being online again when a package is activated", async () => {
  using app = await scene();
  const phone = app.browser(self(1), "/phone");
  app.pay();
  app.pay();
  activate(app.db, boss, { subscriberId: 1, packageId: 1 }, { now: app.now() });
  await app.run();
  await app.run(5); // the pace of the channel
  const { expiresAt } = app.db.$client
    .query<{ expiresAt: number }, []>("SELECT expires_at AS expiresAt FROM services WHERE subscriber_id = 1")
    .get() ?? { expiresAt: 0 };
  await app.run(expiresAt - 86_400 - app.now() + 60);
  const titles = service.got.map(({ body }): string => JSON.parse(decrypted(body, phone)).title);
  expect(titles.filter((title) => !title.startsWith("Receipt"))).toEqual([
    expect.stringMatching(/^You are online until /),
    expect.stringMatching(/^Your package ends on /),
  ]);
});

test.each([
  ["gone", { "/phone": 410, "/desk": 201 }, { state: "sent" }, 1],
  ["not found", { "/phone": 404, "/desk": 201 }, { state: "sent" }, 1],
  [
    "all gone",
    { "/phone": 410, "/desk": 404 },
    { state: "failed", reason: expect.stringContaining("410") },
    0,
  ],
  ["busy", { "/phone": 503, "/desk": 429 }, { state: "waiting", reason: expect.stringContaining("503") }, 2],
  [
    "refused",
    { "/phone": 403, "/desk": 403 },
    { state: "failed", reason: expect.stringContaining("403") },
    2,
  ],
  ["one is enough", { "/phone": 503, "/desk": 201 }, { state: "sent" }, 2],
])("a push service says: %s", async (_, answers, message, left) => {
  using app = await scene();
  app.browser(self(1), "/phone");
  app.browser(self(1), "/desk");
  for (const [path, status] of Object.entries(answers)) statuses.set(path, status);
  app.pay();
  await app.run();
  expect(app.states()).toMatchObject([message]);
  expect(app.devices()).toBe(left);
});

test("what leads into our own network is never called, nor is a redirect followed", async () => {
  using app = await scene();
  app.browser(self(1), "/phone");
  statuses.set("/phone", 302);
  app.pay();
  await app.run();
  expect(service.got.length).toBe(1);
  const inside = { ...service.world, resolve: async () => ["8.8.4.4", "10.0.0.5"] };
  const sender = new MessageSender({ db: app.db, by, clock: app.now, world: inside });
  app.pay();
  await planMessages(app.db, by, { now: app.now() });
  sender.run();
  await sender.settled();
  expect(service.got.length).toBe(1);
  expect(app.states().at(-1)).toMatchObject({
    state: "waiting",
    reason: expect.stringContaining("10.0.0.5"),
  });
});

test("staff who asked for it hear of what their permissions show", async () => {
  using app = await scene();
  const phone = app.browser(boss, "/boss");
  app.db.$client.run(
    `INSERT INTO events (uid, type, due_key, isp_id, at, written_at, data)
     VALUES ('e1', 'router.silent', 'x 1', 1, ?1, ?1, '{"router":{"id":1,"name":"core","address":"192.0.2.1"},"since":"2030-01-01T00:00:00Z"}')`,
    [NOW],
  );
  await app.run();
  expect(service.got.map(({ path }) => path)).toEqual(["/boss"]);
  const [first] = service.got;
  expect(JSON.parse(decrypted(first?.body ?? Buffer.alloc(0), phone))).toMatchObject({
    title: "core does not answer",
    opens: "/console",
  });
});
