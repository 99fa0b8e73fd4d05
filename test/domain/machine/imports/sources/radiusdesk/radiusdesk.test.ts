import { beforeAll, describe, expect, test } from "bun:test";
import { moveIn } from "../../../../../../src/domain/machine/imports/move-in.ts";
import type { MovedPackage, MovedSubscriber } from "../../../../../../src/domain/machine/imports/model.ts";
import { readRadiusDesk } from "../../../../../../src/domain/machine/imports/sources/radiusdesk/radiusdesk.ts";
import type { NamedAttribute } from "../../../../../../src/radius/packet/codec.ts";
import { type NoticeKind, Notices } from "../../../../../../src/domain/machine/imports/notices.ts";
import { keptDump, sourceOf } from "../../../../../support/dumps/reading.ts";
import { by } from "../../../../../support/isp.ts";
import { inMemory } from "../rows.ts";
import { TestHandlers } from "../../../../../support/radius-handlers.ts";

const zone = "Asia/Amman";
const now = seconds("2026-11-22T12:00:00+03:00");

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}

async function read(outcome = new Notices()) {
  return inMemory(
    await readRadiusDesk([keptDump("radiusdesk.mariadb.sql")], { now, zone, notices: outcome }),
  );
}

const notices = new Notices();
let moved: ReturnType<typeof inMemory>;
beforeAll(async () => {
  moved = await read(notices);
});

function subscriber(username: string): MovedSubscriber | undefined {
  return moved.subscribers.find((each) => each.username === username);
}

function package_(key: string): MovedPackage | undefined {
  return moved.packages.find((each) => each.key === key);
}

function noticesOf(kind: NoticeKind): string[] {
  return notices.rows.filter((row) => row.kind === kind).map(({ who, text }) => `${who}: ${text}`);
}

test("everybody comes, with the password in clear text that radcheck has, never the hash", () => {
  expect(moved.subscribers.map(({ username, password }) => [username, password])).toEqual([
    ["lina@north", 'lina\'s "pass\\word"'],
    ["capped", "capped-1"],
    ["off", "off-1"],
    ["no.clear", { lost: "hashed" }],
    ["Lina@North", "another lina"],
    ["topped.up", "topped"],
    ["ليلى", "سر"],
    ["ldap.user", { lost: "none" }],
    ["second.top", "second"],
    ["locked", "locked-1"],
  ]);
  expect(JSON.stringify([moved, notices.rows])).not.toContain("7c4a8d09");
});

test("who somebody is, where, until when, and from what", () => {
  expect(subscriber("lina@north")).toMatchObject({
    name: "Lina D'Souza",
    email: "lina@example.net",
    mobile_number: "0790000101",
    address: '1 "Hill" Road\nNorthtown',
    branch: "North",
    global_note: "Site: Tower 1",
    enabled: true,
    package: "Home 10M",
    connection: "ppp",
    createdAt: seconds("2024-05-01T10:00:00+03:00"),
    service: { expiresAt: seconds("2026-12-15T23:59:59+03:00") },
    usage: [{ month: "2026-11", up: 1_000_000, down: 50_000_000 }],
    history: [{ at: seconds("2026-11-15T10:00:00+03:00"), text: "Top-up of 30 days" }],
  });
  expect(subscriber("off")).toMatchObject({
    enabled: false,
    // where radcheck has no Expiration, the form's date
    service: { expiresAt: seconds("2026-11-30T23:59:59+03:00") },
  });
  expect(subscriber("Lina@North")).toMatchObject({ static_ip: "100.64.9.9", global_note: "ID: 9781234567" });
  // of another who is written the same but for its case
  expect(subscriber("Lina@North")?.usage).toBeUndefined();
  expect(subscriber("locked")).toMatchObject({ mac_address: "00-11-22-33-44-66", macLock: true });
});

test("a profile is a package, put together of its components by priority", () => {
  expect(package_("Home 10M")).toMatchObject({
    price: null,
    rate_limit: "2048k/10240k",
    framed_pool: "gold",
    idle_timeout: 900,
    simultaneous_use: 1,
  });
  expect(package_("Data 5G")).toMatchObject({
    data_quota_bytes: 5 * 2 ** 30,
    rate_limit: expect.any(String),
  });
  expect(package_("Hour")).not.toHaveProperty("data_quota_bytes");
  expect(package_("ليلى")).toBeUndefined();
  expect(package_("A profile of nothing, 2 online")).toMatchObject({ simultaneous_use: 2 });
  expect(subscriber("capped")?.service).toEqual({ expiresAt: null, quotaUsed: 2 ** 30 });
  expect(noticesOf("term_left")).toContain(
    "Hour: Rd-Total-Time := 3600: time online is not counted against a limit here",
  );
});

test("of who is topped up, what is left comes as what is left", () => {
  for (const [username, left] of [
    ["topped.up", 2_684_354_560],
    ["second.top", 41_824],
  ] as const) {
    const { package: key, service, history } = subscriber(username) ?? {};
    expect((package_(key ?? "")?.data_quota_bytes ?? 0) - (service?.quotaUsed ?? 0)).toBe(left);
    if (username === "topped.up") expect(history).toHaveLength(2);
  }
  expect(noticesOf("note")).toContainEqual(expect.stringMatching(/^Prepaid top-up: its users are topped up/));
});

test("vouchers that nobody used, sessions that are open, and routers", () => {
  expect(moved.vouchers.map(({ code, package: key, batch }) => [code, key, batch])).toEqual([
    ["card-0001", "Hour", "summer"],
    ["two-words", "Hour", "summer"],
  ]);
  expect(moved.vouchers.map(({ kind, validity, uptimeSeconds }) => [kind, validity, uptimeSeconds])).toEqual([
    ["access", { count: 1, unit: "day" }, null], // its cap of time is a day too
    ["access", null, null],
  ]);
  expect(moved.spentCodes?.length).toBe(4);
  expect(moved.sessions).toMatchObject([
    { username: "lina@north", nasAddress: "10.0.0.1", acctSessionId: "81e00001", outputOctets: 50_000_000 },
  ]);
  expect(moved.routers.map(({ key, name, address, secret }) => [key, name, address, secret])).toEqual([
    ["cafe-1", "Café", null, null],
    ["10.0.0.1", "north", "10.0.0.1", "north-secret"],
    ["south-1", "anywhere", null, "south-secret"],
  ]);
});

test("what cannot come, or comes changed, is told", () => {
  expect(noticesOf("left_out")).toEqual([
    "vouchers: vouchers that are in use, used up or past their end: 4",
    expect.stringMatching(/^00-11-22-33-44-55: is a device that logs in for its owner/),
    expect.stringMatching(/^00-11-22-33-44-66: /),
  ]);
  expect(noticesOf("note")).toContain(
    "ldap.user: its password was asked of ldap there, so that nobody knows it here",
  );
  expect(noticesOf("term_left")).toContain("second.top: begins on 1 Jan 2027 there, and at once here");
});

test("caps that stop nobody, and items that there are none of here, are told", async () => {
  const others = new Notices();
  const sql = `INSERT INTO radusergroup (username, groupname, priority) VALUES ('Soft','SimpleAdd_9',5);
    INSERT INTO radgroupcheck (groupname, attribute, op, value) VALUES ('SimpleAdd_9','Rd-Reset-Type-Data',':=','monthly'),
      ('SimpleAdd_9','Rd-Total-Data',':=','1000'),('SimpleAdd_9','Rd-Cap-Type-Data',':=','soft'),('SimpleAdd_9','Rd-Fup-Vlan',':=','7');
    INSERT INTO permanent_users (id, username, profile, active, cloud_id) VALUES (1,'a','Soft',1,1),(2,'b','Soft',1,2);`;
  const { packages } = await readRadiusDesk([sourceOf(sql)], { now, zone, notices: others });
  expect(packages.map(({ key, data_quota_bytes }) => [key, data_quota_bytes])).toEqual([["Soft", undefined]]);
  const texts = others.rows.map(({ text }) => text);
  expect(texts).toContain("Rd-Total-Data := 1000: it is a soft cap there, which counts and stops nobody");
  expect(texts).toContain("Rd-Fup-Vlan := 7: there is nothing like it here");
  expect(texts).toContainEqual(expect.stringMatching(/^clouds in this copy: 2/));
});

test("a copy without users is refused, with what to do", async () => {
  const reading = readRadiusDesk([sourceOf("CREATE TABLE radcheck (id int);")], {
    now,
    zone,
    notices: new Notices(),
  });
  await expect(reading).rejects.toThrow(/no permanent_users in this copy/);
});

const fromDevice: NamedAttribute = ["Calling-Station-Id", "00:11:22:33:44:66"];

describe("moved in", () => {
  test("everybody with a password that is known logs in with it, but who was put out", async () => {
    await using handlers = await TestHandlers.open();
    handlers.clock.now = now;
    const others = new Notices();
    // nobody is online any more, so that nobody is there already
    const gone = { ...(await read(others)), sessions: [] };
    const options = {
      ispId: 1,
      source: "radiusdesk",
      files: ["radiusdesk.mariadb.sql"],
      now,
      zone,
      notices: others,
    };
    const { report } = await moveIn(handlers.store.db, by, gone, { ...options, keep: () => {} });
    expect(report.counts.subscribers.found).toBe(10);
    const codes = moved.subscribers.flatMap(({ username, password }) => {
      if (typeof password !== "string") return [];
      const attributes = username === "locked" ? [fromDevice] : [];
      return [[username, handlers.login({ name: username, password, attributes })?.code] as const];
    });
    expect(Object.fromEntries(codes)).toEqual({
      "lina@north": "Access-Accept",
      capped: "Access-Accept",
      "topped.up": "Access-Accept",
      off: "Access-Reject",
      "second.top": "Access-Accept",
      ليلى: "Access-Accept",
      // whose name differs from another's by its case alone does not come, and is told
      locked: "Access-Accept",
      "Lina@North": "Access-Reject",
    });
  });
});
