import { expect, spyOn, test } from "bun:test";
import { findActive, parseDuration, removeActive } from "../../src/routeros/active.ts";
import type { RouterosTarget } from "../../src/routeros/client.ts";
import type { Ask, Timing } from "../../src/routeros/pooled-connection.ts";
import { RouterosPool } from "../../src/routeros/pool.ts";
import { endless } from "../support/endless-answers.ts";
import { FakeRouteros, type FakeRouterosOptions } from "../support/fake-routeros.ts";

const sam = (id: string, address: string) => ({
  ".id": id,
  name: "sam",
  address,
  "caller-id": "1:2:3:4:5:6",
  uptime: "1h",
});

async function withPool(
  options: FakeRouterosOptions,
  timing: Partial<Timing>,
  body: (
    use: <T>(body: (ask: Ask) => Promise<T>, password?: string) => Promise<T>,
    fake: FakeRouteros,
    pool: RouterosPool,
  ) => Promise<void>,
): Promise<void> {
  await using fake = await FakeRouteros.start(options);
  const pool = new RouterosPool(timing);
  const target = (password: string): RouterosTarget => ({
    host: "127.0.0.1",
    port: fake.port,
    username: "api",
    password,
    tls: false,
    fingerprint: null,
  });
  try {
    await body((work, password = "secret") => pool.run(1, target(password), work), fake, pool);
  } finally {
    pool.close();
    while (fake.open > 0) await Bun.sleep(1);
  }
}

const print = (ask: Ask) => findActive(ask, "ppp", "sam");
const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

test("one connection serves a router, however many use it at once", () =>
  withPool({ ppp: [sam("*1", "10.0.0.1")] }, {}, async (use, fake) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => use(print)));
    expect(answers.every(({ length }) => length === 1)).toBe(true);
    await use(print);
    expect(fake.connections).toBe(1);
    expect(fake.count("/login")).toBe(1);
  }));

test("an idle connection is closed, and the next use opens one", () =>
  withPool({}, { idle: 20 }, async (use, fake, pool) => {
    await use(print);
    while (fake.open > 0) await Bun.sleep(1);
    expect(pool.size).toBe(0);
    await use(print);
    expect(fake.connections).toBe(2);
  }));

test("a connection that the router closed meanwhile is replaced", () =>
  withPool({}, {}, async (use, fake) => {
    await use(print);
    fake.drop();
    expect(await use(print)).toEqual([]);
    await use(print);
    while (fake.open !== 1) await Bun.sleep(1);
    expect(fake.connections).toBe(2);
  }));

test("a reused connection that stays silent is replaced once", () =>
  withPool({}, { reused: 50 }, async (use, fake) => {
    await use(print);
    fake.faults["/ppp/active/print"] = { kind: "silence" };
    const before = fake.count("/ppp/active/print");
    const failing = messageOf(use(print));
    while (fake.count("/ppp/active/print") === before) await Bun.sleep(1);
    fake.faults = {};
    expect(await failing).toBe("done");
    expect(fake.count("/ppp/active/print")).toBe(before + 2);
    expect(fake.connections).toBe(2);
  }));

test("a new connection that stays silent is not tried again", () =>
  withPool({ faults: { "/ppp/active/print": { kind: "silence" } } }, { command: 50 }, async (use, fake) => {
    expect(await messageOf(use(print))).toBe("it did not answer /ppp/active/print within 0.1 s");
    expect(fake.connections).toBe(1);
  }));

test("after a failed login the next uses fail at once with its reason, until the pause is over or the NAS is changed", () =>
  withPool({}, { loginPause: 60_000 }, async (use, fake) => {
    const wrong = () => messageOf(use(print, "wrong"));
    const reason = "it refused the login of api: invalid user name or password (6)";
    expect(await Promise.all([wrong(), wrong()])).toEqual([reason, reason]);
    expect(await wrong()).toBe(reason);
    expect(fake.connections).toBe(1);
    {
      const { now } = performance;
      using _later = spyOn(performance, "now").mockImplementation(() => now.call(performance) + 60_010);
      expect(await wrong()).toBe(reason);
    }
    expect(fake.connections).toBe(2);
    expect(await messageOf(use(print, "secret"))).toBe("done");
  }));

test("one use takes no longer than its time in all", () =>
  withPool({}, { total: 1000 }, async (use, fake) => {
    await use(print);
    const start = performance.now();
    const endless = use(async (ask) => {
      for (;;) {
        await print(ask);
        await Bun.sleep(5);
      }
    });
    expect(await messageOf(endless)).toBe("it took longer than 1 s in all");
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(fake.open).toBe(1);
  }));

test("the entry at the session's address is removed alone, else all of the name", () =>
  withPool(
    { ppp: [sam("*1", "10.0.0.1"), sam("*2", "10.0.0.2"), sam("*3", "10.0.0.3")] },
    {},
    async (use, fake) => {
      const remove = (address: string | null) =>
        use((ask) => removeActive(ask, "ppp", { username: "sam", address }));
      expect(await remove("10.0.0.2")).toBe(1);
      expect(fake.ppp.map((row) => row[".id"])).toEqual(["*1", "*3"]);
      expect(await remove("10.9.9.9")).toBe(2);
      expect(await remove(null)).toBe(0);
    },
  ));

test("hotspot users are found by their own names, with address, MAC address and uptime", () =>
  withPool(
    {
      hotspot: [
        {
          ".id": "*A",
          user: "ñandú",
          address: "10.5.50.2",
          "mac-address": "aa:bb:cc:dd:ee:ff",
          uptime: "1d2h",
        },
      ],
    },
    {},
    async (use) => {
      expect(await use((ask) => findActive(ask, "hotspot", "ñandú"))).toEqual([
        { id: "*A", address: "10.5.50.2", mac: "AA:BB:CC:DD:EE:FF", uptime: 93_600 },
      ]);
    },
  ));

test.each([
  ["5s", 5],
  ["1w2d3h4m5s", 788_645],
  ["03:04:05", 11_045],
  ["1d03:04:05", 97_445],
  ["soon", null],
  ["", null],
])("uptime %p is %p s", (text, seconds) => expect(parseDuration(text)).toBe(seconds));

test("a name that is online thousands of times is refused before each of them is ended", () =>
  withPool(
    { ppp: Array.from({ length: 2001 }, (_, i) => sam(`*${i}`, "10.0.0.1")) },
    {},
    async (use, fake) => {
      const removing = use((ask) => removeActive(ask, "ppp", { username: "sam", address: null }));
      expect(await messageOf(removing)).toContain("it says that sam is online 2001 times");
      expect(fake.count("/ppp/active/remove")).toBe(0);
    },
  ));

test("an answer without an end is not asked for a second time", () =>
  withPool({ ppp: [sam("*1", "10.0.0.1")] }, {}, async (use, fake) => {
    await use(print);
    fake.faults = { "/ppp/active/print": endless.rows };
    expect(await messageOf(use(print))).toContain("more than 50,000 rows");
    expect(fake.count("/ppp/active/print")).toBe(2);
  }));
