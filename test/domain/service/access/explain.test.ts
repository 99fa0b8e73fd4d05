import { expect, test } from "bun:test";
import { type AuthLogEntry, recordDecisions } from "../../../../src/domain/service/access/auth-log.ts";
import { explain } from "../../../../src/domain/service/access/explain.ts";
import { outcomes } from "../../../../src/domain/service/access/outcomes.ts";
import { sessions } from "../../../../db/schema.ts";
import {
  latchMessageAuthenticator,
  recordUnauthenticated,
} from "../../../../src/domain/goods/nas/sources.ts";
import { aSubscriber, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";

const ispStore = undoneIspStores();

function withIsp() {
  const expired = { current_expiration_date: formatTime(NOW - DAY) };
  return ispStore({
    subscribers: [aSubscriber(1), newSubscriber(2), aSubscriber(3, expired), aSubscriber(4, { status: 0 })],
  });
}

const CLASS = Buffer.from("c1");
const entry = (ago: number, values: Partial<AuthLogEntry> = {}): AuthLogEntry => ({
  at: NOW - ago,
  nasId: 1,
  nasAddress: "127.0.0.1",
  username: "user1",
  subscriberId: 1,
  accepted: false,
  reason: "wrong_password",
  method: "pap",
  class: null,
  ...values,
});
const accept = (ago: number, values: Partial<AuthLogEntry> = {}) =>
  entry(ago, { accepted: true, reason: "accepted", class: CLASS, ...values });
const session = { acctSessionId: "1", username: "user1", subscriberId: 1, nasId: 1, nasAddress: "127.0.0.1" };

test("where a subscriber stands, and the last decisions in plain words, the newest first", async () => {
  using store = await withIsp();
  recordDecisions(store.db, [
    entry(900, { mac: "02:00:00:00:00:01" }),
    entry(800, { reason: "too_many_sessions", username: "CORP\\USER1" }),
    entry(700, { reason: "disabled", username: "user4", subscriberId: 4 }),
    accept(600),
  ]);
  const openOne = { ...session, class: CLASS, framedIp: "10.5.0.2", startedAt: NOW - 595, updatedAt: NOW };
  store.db.insert(sessions).values(openOne).run();
  const { decisions, ...rest } = explain(store.db, by, "USER1", { now: NOW });
  expect(rest).toEqual({
    username: "user1",
    status: "active",
    expires: formatTime(NOW + 10 * DAY),
    online: { since: formatTime(NOW - 595), address: "10.5.0.2", nas: "core" },
    findings: [],
  });
  expect(decisions.map(({ words }) => words)).toEqual([
    outcomes.accepted.forStaff.toString(),
    outcomes.too_many_sessions.forStaff.toString(),
    outcomes.wrong_password.forStaff.toString(),
  ]);
  expect(decisions[2]).toEqual({
    at: formatTime(NOW - 900),
    accepted: false,
    reason: "wrong_password",
    words: "rejected: wrong password",
    nas: "core",
    mac: "02:00:00:00:00:01",
  });
});

test.each([
  ["user2", "inactive", null],
  ["user3", "expired", formatTime(NOW - DAY)],
  ["user4", "disabled", formatTime(NOW + 10 * DAY)],
])("%s is %s", async (username, status, expires) => {
  using store = await withIsp();
  expect(explain(store.db, by, username, { now: NOW })).toMatchObject({ status, expires, online: null });
});

test("a test from the command line is named so, and a router that was removed by its address", async () => {
  using store = await withIsp();
  recordDecisions(store.db, [entry(5, { nasId: null }), entry(4, { nasId: 99, nasAddress: "10.0.0.9" })]);
  expect(explain(store.db, by, "user1", { now: NOW }).decisions.map(({ nas }) => nas)).toEqual([
    "10.0.0.9",
    "radtest",
  ]);
});

test("ten decisions at the most", async () => {
  using store = await withIsp();
  recordDecisions(
    store.db,
    Array.from({ length: 15 }, (_, i) => entry(100 - i)),
  );
  const { decisions } = explain(store.db, by, "user1", { now: NOW });
  expect(decisions.length).toBe(10);
  expect(decisions[0]?.at).toBe(formatTime(NOW - 86));
});

test("a name that nobody has, and that nobody asked about", async () => {
  using store = await withIsp();
  expect(explain(store.db, by, "nobody", { now: NOW })).toMatchObject({
    status: null,
    decisions: [],
    findings: [
      "there is no subscriber with the username nobody",
      expect.stringContaining("no router has asked about nobody"),
    ],
  });
  recordDecisions(store.db, [entry(5, { username: "nobody", subscriberId: null, reason: "unknown_user" })]);
  expect(explain(store.db, by, "nobody", { now: NOW })).toMatchObject({
    decisions: [{ words: outcomes.unknown_user.forStaff.toString() }],
    findings: ["there is no subscriber with the username nobody"],
  });
});

test("a router whose PAP passwords are garbage has a wrong shared secret", async () => {
  using store = await withIsp();
  recordDecisions(store.db, [
    entry(50, { username: "user3", subscriberId: 3, detail: "garbled" }),
    entry(40, { detail: "garbled" }),
    entry(30, { method: "chap" }),
    entry(20),
  ]);
  expect(explain(store.db, by, "user1", { now: NOW }).findings).toEqual([
    expect.stringContaining(
      "2 of the last 3 passwords from the router core (127.0.0.1) are no text: its shared secret is most likely not ours",
    ),
  ]);
});

test("a plainly wrong password is no sign of a wrong secret", async () => {
  using store = await withIsp();
  recordDecisions(store.db, [entry(50), entry(40), entry(30)]);
  expect(explain(store.db, by, "user1", { now: NOW }).findings).toEqual([]);
});

test("accepted logins that no accounting follows", async () => {
  using store = await withIsp();
  recordDecisions(store.db, [accept(900), accept(600), accept(300), accept(30)]);
  const finding = () => explain(store.db, by, "user1", { now: NOW }).findings;
  expect(finding()).toEqual([
    expect.stringContaining(
      `accepted 3 times since ${formatTime(NOW - 900)} on the router core (127.0.0.1), and no accounting followed`,
    ),
  ]);
  // one before was heard of: the later ones still were not
  store.db
    .insert(sessions)
    .values({ ...session, class: Buffer.from("c0"), startedAt: NOW - 895, updatedAt: NOW - 895 })
    .run();
  recordDecisions(store.db, [accept(250, { class: Buffer.from("c2") })]);
  expect(finding().length).toBe(1);
  // the last one is: all is well
  store.db
    .insert(sessions)
    .values({
      ...session,
      acctSessionId: "2",
      class: Buffer.from("c2"),
      startedAt: NOW - 249,
      updatedAt: NOW,
    })
    .run();
  expect(finding()).toEqual([]);
});

test("a NAS that sends no Class back is no reason to worry, nor is a test, nor a login of this minute", async () => {
  using store = await withIsp();
  recordDecisions(store.db, [accept(300), accept(200, { nasId: null }), accept(20)]);
  store.db
    .insert(sessions)
    .values({ ...session, startedAt: NOW - 298, updatedAt: NOW })
    .run();
  expect(explain(store.db, by, "user1", { now: NOW }).findings).toEqual([]);
});

test("requests that its router sends without Message-Authenticator are dropped: since when, why, and the remedy", async () => {
  using store = await withIsp();
  const source = { nasId: 1, address: "127.0.0.1" };
  recordUnauthenticated(store.db, source, NOW - 500);
  expect(explain(store.db, by, "user1", { now: NOW }).findings.at(-1)).toContain(
    `have been dropped since ${formatTime(NOW - 500)}, the last at ${formatTime(NOW - 500)}, because those of a proxy`,
  );
  latchMessageAuthenticator(store.db, source, NOW - 400);
  expect(explain(store.db, by, "user1", { now: NOW }).findings).toHaveLength(1);
  recordUnauthenticated(store.db, source, NOW - 300);
  recordUnauthenticated(store.db, source, NOW - 60);
  const { findings } = explain(store.db, by, "user1", { now: NOW });
  expect(findings.at(-1)).toBe(
    `requests of 127.0.0.1 (core) without Message-Authenticator have been dropped since ${formatTime(NOW - 300)}, the last at ${formatTime(NOW - 60)}, because it sent one before; if RouterOS was downgraded or reset: gatehouse nas set core --forget-message-authenticator 127.0.0.1`,
  );
  expect(findings.join()).not.toContain("no router has asked"); // one has, which was dropped
  // so are those of a name that nobody has, which may be a typing error
  expect(explain(store.db, by, "nobody", { now: NOW }).findings.at(-1)).toBe(findings.at(-1) ?? "");
  store.db.$client.run("UPDATE subscribers SET nas_id = 2 WHERE id = 2");
  expect(explain(store.db, by, "user2", { now: NOW }).findings).toHaveLength(1);

  // silent for a day: over; and what comes then counts from then on
  expect(explain(store.db, by, "user1", { now: NOW + DAY }).findings).toHaveLength(1);
  recordUnauthenticated(store.db, source, NOW + DAY);
  expect(explain(store.db, by, "user1", { now: NOW + DAY }).findings.at(-1)).toContain(
    `since ${formatTime(NOW + DAY)},`,
  );
});

test("who sees one ISP is told of its own names, routers and subscribers alone", async () => {
  using store = await withIsp();
  const stranger = { username: "stranger", subscriberId: null, reason: "unknown_user" };
  recordDecisions(store.db, [
    entry(300, stranger),
    entry(200, { ...stranger, nasId: 2, nasAddress: "127.0.0.2" }),
    entry(100, { nasId: 2, nasAddress: "127.0.0.2", reason: "other_isp" }),
  ]);
  for (const nasId of [1, 2])
    recordUnauthenticated(store.db, { nasId, address: `127.0.0.${nasId}` }, NOW - 60);
  const within = (ispId: number, branchId: number | null = null) => ({
    ...by,
    scope: { ispId, branchId, salespersonId: null },
  });
  const routersOf = (actor: typeof by, name: string) =>
    explain(store.db, actor, name, { now: NOW }).decisions.map(({ nas }) => nas);
  expect(routersOf(by, "stranger")).toEqual(["south", "core"]);
  expect(routersOf(within(1), "stranger")).toEqual(["core"]);
  expect(routersOf(within(2), "stranger")).toEqual(["south"]);
  expect(routersOf(within(1, 11), "stranger")).toEqual([]);
  expect(routersOf(within(1), "user1")).toEqual(["127.0.0.2"]);
  expect(routersOf(within(2), "user1")).toEqual([]);
  const findings = (actor: typeof by) => explain(store.db, actor, "nobody", { now: NOW }).findings.join();
  expect(findings(by)).toContain("south");
  expect(findings(within(1))).toContain("core");
  expect(findings(within(1))).not.toContain("south");
});
