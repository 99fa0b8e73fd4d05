import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, write } from "../../../../db/open.ts";
import { recordDecisions } from "../../../../src/domain/service/access/auth-log.ts";
import { recordFirstUses } from "../../../../src/domain/service/cards/first-use.ts";
import { beginWindows } from "../../../../src/domain/service/fair-use/begin-windows.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import type { SessionReport } from "../../../../src/domain/service/sessions/advance.ts";
import { aReport, Replication } from "../../../support/replication.ts";
import { makeBatch } from "../../../support/card-codes.ts";
import { ada, aPackage, aSubscriber, by, loadIsp, NAS_SECRET, rex } from "../../../support/isp.ts";
import { Answering, changes, client, logins, macOf } from "../../../support/many-logins.ts";
import { runs } from "../../../support/runs.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

/** A session by its name, and the Class that each has given it. */
interface Opened {
  readonly login: string;
  readonly classes: { readonly alone: Buffer | null; readonly box: Buffer | null };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("login" as const), which: fc.nat(logins.length - 1) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("account" as const),
      which: fc.nat(9),
      octets: fc.nat(2000),
      isStop: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("change" as const), which: fc.nat(changes.length - 1) }),
  },
  fc.record({ kind: fc.constant("renew" as const), who: fc.integer({ min: 1, max: 5 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      seconds: fc.constantFrom(1, 30, 400, 3600, 50_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const) }) },
);

const COUNTED = `SELECT subscriber_id, quota_total, quota_used, quota_crossed_at, window_start, extra_bytes, rolling_bytes
  FROM services ORDER BY subscriber_id`;
const CARDS =
  "SELECT id, state, first_used_at, ends_at, used_seconds, used_octets, used_up_at, locked_mac FROM cards ORDER BY id";
const SESSIONS = `SELECT acct_session_id, username, subscriber_id, card_id, started_at, updated_at, stopped_at, session_time, input_octets,
  output_octets, closed_by, accepted_as FROM sessions ORDER BY acct_session_id, id`;
const DAYS = "SELECT subscriber_id, day, input_octets, output_octets FROM usage_days ORDER BY 1, 2";

async function aWorld() {
  const world = new Replication(1);
  await loadIsp(world.primary, {
    staff: [ada, rex],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET, dhcp: true }],
    address_pools: [
      { id: 1, isp_id: 1, name: "homes", range: "10.20.0.2-10.20.0.9" },
      { id: 2, isp_id: 1, name: "prefixes", range: "2001:db8::/40", length: 56 },
    ],
    packages: [
      aPackage(2, { address_pool: "homes", delegated_ipv6_from: "prefixes" }),
      aPackage(3, { data_quota_bytes: 2000, simultaneous_use: 2, fair_window: "day" }),
      aPackage(4, {
        tiers: "1kB 1M/1M; 3kB 64k",
        hours: "daily 12:10-12:20 free 50M/50M",
        fair_window: "week",
      }),
      aPackage(5, { data_quota_bytes: 2500, tiers: "1kB 1M/1M" }),
    ],
    subscribers: [
      aSubscriber(1, { package_id: 2, mac_address: macOf(1) }),
      aSubscriber(2, { package_id: 3, mac_address: macOf(2) }),
      aSubscriber(3, { package_id: 4, mac_address: macOf(3), circuit_id: "port 1" }),
      aSubscriber(4, { package_id: 5, connection_type_id: 2 }),
      aSubscriber(5, { mac_address: macOf(5) }),
    ],
  });
  const codes = [
    ...makeBatch(world.primary, { quantity: 2, lock_first_device: 1, data_quota_bytes: 1500 }),
    ...makeBatch(world.primary, {
      quantity: 2,
      uptime_seconds: 500,
      by_clock: 0,
      duration: undefined,
      duration_unit: undefined,
    }),
  ].map(({ code }) => code);
  world.primary.$client.run("UPDATE services SET activated_at = ? WHERE subscriber_id < 5", [NOW - 86_400]);
  world.primary.$client.run("UPDATE subscribers SET mac_login = 1 WHERE id IN (3, 5)");
  await beginWindows(world.primary, by, { now: NOW });
  world.begin();
  world.boxes[0]?.db.$client.run(
    "INSERT INTO access_boxes (id, name, nkey, seal_key, created_at) VALUES (1, 'tower-1', '', '', 0)",
  );
  world.settle();
  world.primary.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return { world, codes, alone: temporaryStore(world.store.folder) };
}

test("a box answers, and box and books come to the same, as books would that have all routers to themselves", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 80, size: "max" }), async (steps) => {
      const made = await aWorld();
      using world = made.world;
      using alone = made.alone;
      const [node] = world.boxes;
      if (!node) throw new Error("a box");
      let [now, isSettled] = [NOW, true];
      const clock = () => now;
      const [here, there] = [new Answering(alone, clock), new Answering(node.store, clock)];
      const accounting = new AccountingWriter(alone.db);
      const open: { values: Opened & Partial<SessionReport>; at: number; octets: number }[] = [];
      const account = ({ login, classes, ...values }: Opened & Partial<SessionReport>) => {
        const report = aReport({ at: now, ...values, nasAddress: "127.0.0.1" });
        write(alone.db, () =>
          accounting.book({
            kind: "session",
            login,
            ispId: 1,
            arrival: now,
            report: { ...report, class: classes.alone },
          }),
        );
        node.account({ ...report, class: classes.box }, login);
      };
      const settle = () => {
        world.settle();
        world.settle();
        isSettled = true;
      };
      const rows = (db: Db, sql: string) => db.$client.query<object, []>(sql).all();
      try {
        for (const [nth, one] of steps.entries()) {
          if (one.kind === "wait") {
            now += one.seconds;
            world.now = now;
            node.moveTo(now);
            settle();
            // as the jobs of each do
            for (const db of [alone.db, world.primary, node.db]) await beginWindows(db, by, { now });
          }
          if (one.kind === "settle") settle();
          if (one.kind === "login") {
            if (!isSettled) settle();
            const request = logins[one.which]?.(made.codes);
            if (!request) continue;
            const prepared = client.prepareAccess(request);
            const [mine, its] = [here.ask(prepared, nth), there.ask(prepared, nth)];
            expect([request, its.told]).toEqual([request, mine.told]);
            const event = here.decided.at(-1);
            const remote = there.decided.at(-1);
            if (event && remote) {
              for (const [db, text] of [[alone.db, event] as const, [node.db, remote] as const])
                write(db, () => {
                  if (text.isCardUse) recordFirstUses(db, [text]);
                  recordDecisions(db, [text]);
                });
              node.decided([remote]);
            }
            if (!its.class) continue;
            const values = {
              acctSessionId: `8${1000 + nth}`,
              login: String(request.name),
              classes: { alone: mine.class, box: its.class },
              username: String(request.name),
              mac: event?.mac ?? null,
              framedIp: null,
              nasPortId: `port ${nth}`,
              nasPort: nth,
            };
            account(values);
            open.push({ values, at: now, octets: 0 });
            isSettled = false;
          }
          if (one.kind === "account") {
            const session = open[one.which % Math.max(1, open.length)];
            if (!session) continue;
            session.octets += one.octets;
            const status = one.isStop ? "stop" : "interim";
            const { values, at, octets } = session;
            account({ ...values, status, sessionTime: now - at, inputOctets: octets, outputOctets: 0 });
            isSettled = false;
          }
          if (one.kind === "change") {
            settle();
            for (const db of [alone.db, world.primary]) db.$client.run(changes[one.which] ?? "");
            isSettled = false;
          }
          if (one.kind === "renew") {
            // while the box tells nothing
            for (const db of [alone.db, world.primary])
              db.$client.run(
                `UPDATE services SET activated_at = ?1, quota_used = 0, quota_crossed_at = NULL, free_bytes = 0,
                   expires_at = max(expires_at, ?1) + 86400 WHERE subscriber_id = ?2`,
                [now + 1, one.who],
              );
            now += 1;
            world.now = now;
            node.moveTo(now);
            world.publish();
            node.hear(world.bucket);
            isSettled = false;
          }
        }
        settle();
        for (const sql of [COUNTED, CARDS, SESSIONS, DAYS])
          expect([sql, rows(world.primary, sql)]).toEqual([sql, rows(alone.db, sql)]);
        for (const sql of [COUNTED, CARDS, SESSIONS])
          expect(["box", sql, rows(node.db, sql)]).toEqual(["box", sql, rows(alone.db, sql)]);
        expect(world.refused).toEqual([]);
      } finally {
        here.close();
        there.close();
      }
    }),
    runs(6, 40),
  );
});
