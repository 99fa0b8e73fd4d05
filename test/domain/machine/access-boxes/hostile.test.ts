import { randomBytes } from "node:crypto";
import { expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { NodeAuthorities } from "../../../../src/domain/machine/access-boxes/box-authority.ts";
import { type Committed, takeHome } from "../../../../src/domain/machine/access-boxes/homecoming.ts";
import type { Scope } from "../../../../src/domain/service/box-standing/box-scope.ts";
import { takeOther } from "../../../../src/domain/machine/access-boxes/apply-other.ts";
import { checkAccessBoxes } from "../../../../src/domain/machine/check/access-boxes.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import { UNKNOWN_USERS_AN_HOUR } from "../../../../src/domain/service/accounting/unknown-users.ts";
import { CLASS_LENGTH, writeGranted } from "../../../../src/domain/service/sessions/session-class.ts";
import { aReport, Replication, type TestNode } from "../../../support/replication.ts";
import { cardRow, makeCard } from "../../../support/card-codes.ts";
import { aSubscriber, loadIsp, NAS_SECRET } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW } from "../../../support/store.ts";

const branchOf = (branch: number): Scope => ({ branches: [{ isp: 1, branch }] });

function aClass(): Buffer {
  const bytes = randomBytes(CLASS_LENGTH);
  writeGranted(bytes, { acceptedAs: "accepted", grantedTerms: 1, grantedRate: 1 });
  return bytes;
}

/**
 * ISP 1 with the branches 11 and 12, a subscriber in each (1 and 2), a third at ISP 2, and cards of both branches; tower-1 is for branch 11,
 * tower-2 for branch 12.
 */
async function aWorld(scopes: readonly (Scope | null)[] = [branchOf(11), branchOf(12)]) {
  const world = new Replication(2);
  await loadIsp(world.primary, {
    isps: [
      {
        id: 1,
        name: "Northlink",
        branches: [
          { id: 11, name: "Centre" },
          { id: 12, name: "Hill" },
        ],
      },
      { id: 2, name: "Southlink" },
    ],
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET },
      { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET },
      { id: 3, isp_id: 1, name: "one", address: "192.168.88.1%tower-1", secret: NAS_SECRET },
      { id: 4, isp_id: 1, name: "two", address: "192.168.88.1%tower-2", secret: NAS_SECRET },
    ],
    subscribers: [
      aSubscriber(1, { branch_id: 11 }),
      aSubscriber(2, { branch_id: 12 }),
      aSubscriber(3, { branch_id: 12 }),
    ],
  });
  const own = makeCard(world.primary, { branch_id: 11 });
  const others = makeCard(world.primary, { branch_id: 12 });
  world.begin();
  for (const [index, scope] of scopes.entries())
    world.primary.$client
      .query("UPDATE access_boxes SET scope = ? WHERE id = ?")
      .run(scope && JSON.stringify(scope), index + 1);
  const [a, b] = world.boxes;
  if (!a || !b) throw new Error("two boxes");
  return { world, a, b, own, others };
}

type World = Awaited<ReturnType<typeof aWorld>>["world"];

function accounting(report: Parameters<typeof aReport>[0], more: object = {}): object {
  const full = { ...aReport(report), class: report?.class?.toString("base64") ?? null };
  return { kind: "session", report: full, login: full.username, ispId: 1, arrival: NOW, ...more };
}

/** What a box that somebody else writes tells: rows of any kind, numbered on. */
class Thief {
  readonly #world: World;
  readonly #name: string;
  readonly #primary: AccountingWriter;
  #number: number;

  constructor(world: World, name = "tower-1") {
    this.#world = world;
    this.#name = name;
    this.#primary = new AccountingWriter(world.primary);
    const known = world.one<{ journal: number }>(`SELECT journal FROM access_boxes WHERE name = '${name}'`);
    this.#number = known.journal;
  }

  tell(kind: string, body: unknown, { at = NOW, age = 0 } = {}): Committed["refusals"] {
    const { primary, now } = this.#world;
    const after = this.#number;
    const row = {
      number: ++this.#number,
      kind,
      at,
      age,
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
    const committed = takeHome(
      primary,
      { box: this.#name, after, rows: [row] },
      {
        accounting: this.#primary,
        authorities: new NodeAuthorities(primary),
        now,
        take: (other, authority, refuse) => takeOther(primary, other, { authority, refuse, now }),
        refused: (_, error) => {
          throw error;
        },
      },
    );
    // it is not told again: what is behind it is to come
    expect(committed?.journal).toBe(row.number);
    return committed?.refusals;
  }

  /** Rows at once, of which the books take as many as they have time for. */
  tellMany(kind: string, bodies: readonly unknown[], time = Infinity): number {
    const { primary, now } = this.#world;
    const rows = bodies.map((body, index) => ({
      number: this.#number + 1 + index,
      kind,
      at: NOW,
      age: 0,
      body: JSON.stringify(body),
    }));
    let taken = 0;
    const committed = takeHome(
      primary,
      { box: this.#name, after: this.#number, rows },
      {
        accounting: this.#primary,
        authorities: new NodeAuthorities(primary),
        now,
        take: () => void taken++,
        isLong: () => taken >= time,
        refused: () => {},
      },
    );
    this.#number = committed?.journal ?? 0;
    return taken;
  }

  account(report: Parameters<typeof aReport>[0], more: object = {}): Committed["refusals"] {
    return this.tell("accounting", accounting(report, more));
  }
}

const decision = (values: object) => ({
  at: NOW,
  username: "user2",
  cardId: null,
  subscriberId: 2,
  isCardUse: false,
  accepted: true,
  reason: "accepted",
  mac: null,
  nasId: 1,
  nasAddress: "127.0.0.1",
  class: null,
  method: "pap",
  detail: null,
  ...values,
});

/** All that a box could change of others. */
const everything = (db: Db) =>
  [
    "SELECT * FROM sessions ORDER BY id",
    "SELECT * FROM usage_days ORDER BY subscriber_id, day",
    "SELECT subscriber_id, quota_used, quota_crossed_at FROM services ORDER BY subscriber_id",
    "SELECT id, state, first_used_at, locked_mac, used_seconds, used_octets FROM cards ORDER BY id",
    "SELECT * FROM auth_log ORDER BY id",
    "SELECT * FROM nas_sources",
    "SELECT * FROM nas_minutes",
    "SELECT * FROM login_days",
  ].map((sql) => db.$client.query(sql).all());

const used = { status: "interim", sessionTime: 60, inputOctets: 2.2e12, outputOctets: 0 } as const;
const restart = (nasAddress: string) => ({ kind: "restart", restart: { status: "on", at: NOW, nasAddress } });

test("a box limited to one branch tells of others what it likes: nothing of it is booked, and it is said", async () => {
  const { world, others } = await aWorld();
  using _ = world;
  const { primary } = world;
  const theirs = { username: "user2", subscriberId: 2, startedAt: NOW - 100, updatedAt: NOW - 90, viaBox: 2 };
  insertSessions(
    primary,
    {
      ...theirs,
      acctSessionId: "A1",
      class: aClass(),
      framedIp: "10.0.0.2",
      mac: "02:00:00:00:00:02",
      nasPortId: "p",
    },
    { ...theirs, acctSessionId: "A2", nasId: 4, nasAddress: "192.168.88.1%tower-2", viaBox: 2 },
    { ...theirs, acctSessionId: "A3", movedIn: 1 },
  );
  const before = everything(primary);
  const thief = new Thief(world);
  const lies: Record<string, () => Committed["refusals"]> = {
    "bytes by name": () => thief.account({ ...used, acctSessionId: "B1", username: "user2" }),
    "bytes by number": () =>
      thief.account({ ...used, acctSessionId: "B2" }, { owner: { subscriberId: 2, cardId: null } }),
    "bytes of a lease": () =>
      thief.account({ ...used, acctSessionId: "B3", username: "user2" }, { ispId: null }),
    "a stop of a session without its Class": () =>
      thief.account({ ...used, status: "stop", acctSessionId: "A1", username: "user2" }),
    "a stop of a session with a Class of its own making": () =>
      thief.account({ ...used, status: "stop", acctSessionId: "A1", username: "user2", class: aClass() }),
    "a stop of a session that was moved in": () =>
      thief.account({ ...used, status: "stop", acctSessionId: "A3", username: "user2" }),
    "a card by number": () =>
      thief.account(
        { ...used, acctSessionId: "B4", username: "C" },
        { owner: { subscriberId: null, cardId: others.id } },
      ),
    "a card by its code": () => thief.account({ ...used, acctSessionId: "B5", username: others.code }),
    "a router of another box": () =>
      thief.account({ ...used, acctSessionId: "B6", nasAddress: "192.168.88.1%tower-2", nasId: 4 }),
    "a router of another ISP": () =>
      thief.account({ ...used, acctSessionId: "B7", nasAddress: "127.0.0.2", nasId: 2 }),
    "a router of another ISP by its address": () =>
      thief.account({ ...used, acctSessionId: "B8", nasAddress: "127.0.0.2", nasId: null }),
    "a restart of another box's router": () => thief.tell("accounting", restart("192.168.88.1%tower-2")),
    "a restart of another ISP's router": () => thief.tell("accounting", restart("127.0.0.2")),
    "a login": () => thief.tell("decided", [decision({})]),
    "the first use of a card": () =>
      thief.tell("decided", [decision({ subscriberId: null, cardId: others.id, isCardUse: true })]),
    "a login of nobody": () => thief.tell("decided", [decision({ subscriberId: null })]),
    "a login at another ISP's router": () =>
      thief.tell("decided", [decision({ subscriberId: 1, nasId: 2, nasAddress: "127.0.0.2" })]),
    "a reason that is none": () => thief.tell("decided", [decision({ subscriberId: 1, reason: "because" })]),
    "a refusal that is an Accept": () =>
      thief.tell("decided", [decision({ subscriberId: 1, reason: "wrong_password" })]),
    "a Message-Authenticator of another box's router": () =>
      thief.tell("seen", { nasId: 4, address: "192.168.88.1%tower-2" }),
    "a Message-Authenticator of another ISP's router": () =>
      thief.tell("seen", { nasId: 2, address: "127.0.0.2" }),
    "another kind": () => thief.tell("payment", { amount: 100 }),
    "no JSON": () => thief.tell("accounting", "{"),
    "no report": () => thief.tell("accounting", {}),
    "negative bytes": () => thief.account({ ...used, acctSessionId: "B9", inputOctets: -5 }),
    "bytes beyond any line": () => thief.account({ ...used, acctSessionId: "B9", inputOctets: 2 ** 53 }),
    "an address that is none": () => thief.account({ ...used, acctSessionId: "B9", framedIp: "<b>" }),
    "how many it dropped, in words": () => thief.tell("dropped", { decisions: "many" }),
  };
  for (const [what, tell] of Object.entries(lies)) {
    expect([what, tell()?.count]).toEqual([what, 1]);
    expect([what, everything(primary)]).toEqual([what, before]);
  }
  // it restarts a router of its ISP, and tells of a new session in another's place: neither ends theirs
  thief.tell("accounting", restart("127.0.0.1"));
  expect(everything(primary)).toEqual(before);
  thief.account({
    acctSessionId: "B10",
    framedIp: "10.0.0.2",
    mac: "02:00:00:00:00:02",
    nasPortId: "p",
    at: NOW,
  });
  expect(
    world.one("SELECT count(*) AS n FROM sessions WHERE subscriber_id = 2 AND stopped_at IS NULL"),
  ).toEqual({
    n: 3,
  });
  // the future and the beginning of time are not of this journal
  thief.account({ acctSessionId: "B11", at: NOW + 1e9 });
  thief.tell(
    "accounting",
    {
      kind: "session",
      report: { ...aReport({ acctSessionId: "B12", at: 0 }), class: null },
      login: "user1",
      ispId: 1,
      arrival: 0,
    },
    { at: 1e15 },
  );
  expect(
    world.one("SELECT max(updated_at) AS last, min(started_at) > 0 AS isPositive FROM sessions"),
  ).toEqual({
    last: NOW + 3600,
    isPositive: 1,
  });
  expect(world.one("SELECT refused, refused_at FROM access_boxes WHERE id = 1")).toEqual({
    refused: Object.keys(lies).length,
    refused_at: NOW,
  });
  primary.$client.query("UPDATE access_boxes SET heard_at = ?").run(NOW);
  expect(checkAccessBoxes(primary, NOW + 60).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^tower-1 tells of what is not its own: .*gatehouse box remove tower-1/),
  );
  expect(
    checkAccessBoxes(primary, NOW + 8 * 86_400)
      .map(({ message }) => message)
      .join(),
  ).not.toContain("not its own");
});

/** A box hears what is told to its scope. */
function hear(world: World, node: TestNode, branch: number): void {
  world.publish();
  node.hear(
    [...world.bucket].filter(([subject]) => subject.startsWith("0.") || subject.startsWith(`1.${branch}.`)),
  );
}

test("what is told of the own is booked: a session, its end, logins, cards, a Message-Authenticator, a router's restart", async () => {
  const { world, a, own } = await aWorld();
  using _ = world;
  const thief = new Thief(world); // who is honest
  expect(thief.account({ acctSessionId: "1" })).toBeUndefined();
  expect(thief.account({ ...used, acctSessionId: "1", at: NOW, inputOctets: 1000 })).toBeUndefined();
  expect(
    thief.account({ ...used, acctSessionId: "3", nasId: 3, nasAddress: "192.168.88.1%tower-1" }),
  ).toBeUndefined();
  expect(thief.tell("decided", [decision({ subscriberId: 1, username: "user1" })])).toBeUndefined();
  const unknown = { subscriberId: null, accepted: false, reason: "unknown_user", username: "guess" };
  expect(thief.tell("decided", [decision(unknown)])).toBeUndefined();
  const use = { subscriberId: null, cardId: own.id, isCardUse: true };
  expect(thief.tell("decided", [decision(use)])).toBeUndefined();
  expect(cardRow(world.primary, own.id)).toMatchObject({ state: "active", first_used_at: NOW });
  expect(thief.tell("seen", { nasId: 3, address: "192.168.88.1%tower-1" })).toBeUndefined();
  expect(world.one("SELECT count(*) AS n FROM nas_sources")).toEqual({ n: 1 });
  expect(thief.account({ acctSessionId: "4", username: "stranger" })).toBeUndefined();
  world.now = NOW + 100;
  const at = { at: NOW + 100 };
  thief.tell(
    "accounting",
    { kind: "restart", restart: { status: "on", nasAddress: "127.0.0.1", ...at } },
    at,
  );
  expect(world.one("SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL")).toEqual({ n: 1 });
  // one decision of others among its own is left out alone
  const mixed = [decision({ subscriberId: 1 }), decision({}), decision({ subscriberId: 1 })];
  expect(thief.tell("decided", mixed)).toMatchObject({ count: 1 });
  expect(world.one("SELECT count(*) AS n FROM auth_log")).toEqual({ n: 5 });
  expect(a.id).toBe(1);
});

test("a router goes over to the box of another branch in the middle of a session: what proves it is the Class of its login", async () => {
  const { world, a, b } = await aWorld();
  using _ = world;
  hear(world, a, 11);
  hear(world, b, 12);
  const sessionClass = aClass();
  const later = { ...used, inputOctets: 1000, at: NOW + 60, class: sessionClass };
  // tower-2 does not know user1, and tells by the name
  a.account(aReport({ class: sessionClass }));
  world.takeHome(a);
  b.moveTo(NOW + 60);
  world.now = NOW + 60;
  b.account(aReport(later));
  world.takeHome(b);
  expect(world.refused).toEqual([]);
  expect(world.one("SELECT subscriber_id, input_octets, via_box FROM sessions")).toEqual({
    subscriber_id: 1,
    input_octets: 1000,
    via_box: 2,
  });
});

test("the same where its Start was told to nobody: the login is proof", async () => {
  const { world, a, b } = await aWorld();
  using _ = world;
  hear(world, b, 12);
  const sessionClass = aClass();
  const report = aReport({ ...used, inputOctets: 1000, class: sessionClass });
  b.account(report);
  world.takeHome(b);
  expect(world.refused).toEqual([{ count: 1, what: "a subscriber of others" }]);
  a.decided([decision({ subscriberId: 1, username: "user1", class: sessionClass }) as never]);
  world.takeHome(a);
  b.account({ ...report, at: NOW + 60, sessionTime: 120, inputOctets: 2000 });
  world.takeHome(b);
  expect(world.refused).toHaveLength(1);
  // as much as if it had come at once
  expect(world.one("SELECT subscriber_id, input_octets FROM sessions")).toEqual({
    subscriber_id: 1,
    input_octets: 2000,
  });
});

test("a subscriber and a card that moved to another branch while their box was cut off: what it kept is booked", async () => {
  const { world, a, own } = await aWorld();
  using _ = world;
  hear(world, a, 11);
  for (const isPublished of [false, true]) {
    world.primary.$client.run("UPDATE subscribers SET branch_id = 12 WHERE id = 1");
    world.primary.$client.run("UPDATE card_batches SET branch_id = 12 WHERE id = 1");
    if (isPublished) world.publish();
    a.account(aReport({ acctSessionId: `moved-${isPublished}` }));
    a.decided([decision({ subscriberId: null, cardId: own.id, isCardUse: true, username: "C" }) as never]);
    world.takeHome(a);
    expect(world.refused).toEqual([]);
  }
  expect(world.one("SELECT count(*) AS n FROM sessions WHERE subscriber_id = 1")).toEqual({ n: 2 });
  expect(cardRow(world.primary, own.id)).toMatchObject({ state: "active" });
});

test("a card that is sold while its box is cut off: its first use there counts", async () => {
  const { world, a } = await aWorld();
  using _ = world;
  const card = makeCard(world.primary, { branch_id: 11 });
  hear(world, a, 11);
  world.primary.$client
    .query("UPDATE cards SET state = 'sold', sold_at = ? WHERE id = ?")
    .run(NOW + 5, card.id);
  a.moveTo(NOW + 60);
  world.now = NOW + 60;
  a.decided([decision({ at: NOW + 60, subscriberId: null, cardId: card.id, isCardUse: true }) as never]);
  world.takeHome(a);
  expect(world.refused).toEqual([]);
  expect(cardRow(world.primary, card.id)).toMatchObject({ state: "active", first_used_at: NOW + 60 });
});

test("a router that is another box's since, or is no more: what was told of it before is booked", async () => {
  const { world, a } = await aWorld();
  using _ = world;
  hear(world, a, 11);
  const at = { nasId: 3, nasAddress: "192.168.88.1%tower-1" };
  a.account(aReport({ ...at, acctSessionId: "1" }));
  world.primary.$client.run("UPDATE nas SET address = '192.168.88.2%tower-2' WHERE id = 3");
  world.takeHome(a);
  world.primary.$client.run("DELETE FROM nas WHERE id = 3");
  a.account(aReport({ ...at, acctSessionId: "2" }));
  a.decided([decision({ subscriberId: 1, ...at }) as never]);
  world.takeHome(a);
  expect(world.refused).toEqual([]);
  expect(world.one("SELECT count(*) AS n FROM sessions")).toEqual({ n: 2 });
});

test("a box that was added anew for fewer tells what it kept from before, and no more than that", async () => {
  const { world, a } = await aWorld([null, branchOf(12)]);
  using _ = world;
  hear(world, a, 11);
  write(a.db, (tx) => tx.$client.run("UPDATE access_state SET role = 'access'"));
  a.account(aReport({ acctSessionId: "1", username: "user2" }));
  const added = NOW + 100;
  world.primary.$client.query("UPDATE access_boxes SET removed_at = ? WHERE id = 1").run(added);
  world.primary.$client
    .query(
      "INSERT INTO access_boxes (id, name, nkey, seal_key, scope, created_at) VALUES (9, 'tower-1', 'n', 'k', ?, ?)",
    )
    .run(JSON.stringify(branchOf(11)), added);
  a.moveTo(added + 60);
  world.now = added + 60;
  a.account(aReport({ acctSessionId: "2", username: "user2", at: added + 60 }));
  world.takeHome(a);
  expect(world.refused).toEqual([{ count: 1, what: "a subscriber of others" }]);
  expect(world.primary.$client.query("SELECT acct_session_id FROM sessions").values()).toEqual([["1"]]);
});

test("what a box tells at once is taken for as long as others may wait, and goes on from there", async () => {
  const { world } = await aWorld();
  using _ = world;
  const thief = new Thief(world);
  // one at least, or nothing would come on where each takes too long
  for (const [count, time, taken] of [
    [10, 4, 4],
    [6, 10, 6],
    [3, 0, 1],
  ] as const)
    expect(
      thief.tellMany(
        "dropped",
        Array.from({ length: count }, () => ({ decisions: 1 })),
        time,
      ),
    ).toBe(taken);
  expect(world.one<{ journal: number }>("SELECT journal FROM access_boxes WHERE name = 'tower-1'")).toEqual({
    journal: 11,
  });
});

test("that a router sends Message-Authenticators a box of a few says of those alone that ask no other box", async () => {
  const { world } = await aWorld();
  using _ = world;
  const thief = new Thief(world);
  const latched = () => world.primary.$client.query("SELECT nas_id, address FROM nas_sources").values();
  for (const address of ["127.0.0.1", "127.0.0.9", "192.168.88.1%tower-1"])
    for (const nasId of [1, 99]) thief.tell("seen", { nasId, address });
  thief.tell("seen", { nasId: 3, address: "10.9.9.9%tower-1" });
  expect(latched()).toEqual([]);
  thief.tell("seen", { nasId: 3, address: "192.168.88.1%tower-1" });
  expect(latched()).toEqual([[3, "192.168.88.1%tower-1"]]);
  world.primary.$client.run("UPDATE access_boxes SET scope = NULL WHERE name = 'tower-1'");
  thief.tell("seen", { nasId: 1, address: "127.0.0.1" });
  expect(latched()).toContainEqual([1, "127.0.0.1"]);
});

test("sessions of nobody at no router of the books are as few as at one of them", async () => {
  const { world } = await aWorld();
  using _ = world;
  const thief = new Thief(world);
  const nowhere = { nasAddress: "192.168.99.1%tower-1", nasId: null, username: "nobody" };
  const starts = Array.from({ length: UNKNOWN_USERS_AN_HOUR + 50 }, (_, one) =>
    accounting({ ...nowhere, status: "start", acctSessionId: `N${one}` }),
  );
  thief.tellMany("accounting", starts);
  expect(world.one<{ n: number }>("SELECT count(*) AS n FROM sessions").n).toBe(UNKNOWN_USERS_AN_HOUR);
  // those of its own are never among what is dropped
  thief.account({ ...used, acctSessionId: "M1", username: "user1" });
  expect(world.one<{ n: number }>("SELECT count(*) AS n FROM sessions").n).toBe(UNKNOWN_USERS_AN_HOUR + 1);
});
