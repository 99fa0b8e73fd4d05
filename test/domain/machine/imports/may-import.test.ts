import { expect, test } from "bun:test";
import { moveIn } from "../../../../src/domain/machine/imports/move-in.ts";
import { Notices } from "../../../../src/domain/machine/imports/notices.ts";
import { undoMove } from "../../../../src/domain/machine/imports/undo.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { by, DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, at, Mover, somebody } from "./mover.ts";

const withFlags = (...flags: string[]): Actor => ({ ...by, admin: false, flags: new Set(flags) });
const clerk = withFlags("data_import");
const money = withFlags("data_import", "wallet_adjust", "subscriber_activate");
const vouchers = [
  { at, code: "7H2KQ9ABC", kind: "access", package: "home", price: null, batch: null },
] as const;
const moved = aMoved({ subscribers: [somebody("ann", { balance: "12.50" })], vouchers });

function runImport(mover: Mover, actor: Actor, what = moved, now = NOW) {
  const notices = new Notices();
  const options = { ispId: 1, source: "radius", files: ["old.sql"], now, notices, zone: "UTC" };
  return moveIn(mover.db, actor, what, options);
}

const worth = (mover: Mover) => ({
  people: mover.rows(
    `SELECT u.username, s.expires_at, (SELECT sum(amount) FROM ledger_entries WHERE subscriber_id = u.id) AS balance
     FROM subscribers u LEFT JOIN services s ON s.subscriber_id = u.id ORDER BY u.id`,
  ),
  cards: mover.rows("SELECT state FROM cards"),
});

test("whoever may import and nothing else brings people without money, time and codes, and is told", async () => {
  using mover = await Mover.withIsp();
  const { notices, moveId } = await runImport(mover, clerk);
  expect(worth(mover)).toEqual({ people: [{ username: "ann", expires_at: null, balance: null }], cards: [] });
  const leftOut = notices.rows.filter(({ kind }) => kind === "left_out").map(({ text }) => text);
  expect(leftOut).toEqual([
    expect.stringContaining("Balances and paid time are left out"),
    expect.stringContaining("Prepaid codes are left out"),
  ]);

  // the same run of somebody who may brings the rest, and another run of the first takes nothing of it away
  await runImport(mover, by);
  const whole = {
    people: [{ username: "ann", expires_at: NOW + 10 * DAY, balance: 1250 }],
    cards: [{ state: "new" }],
  };
  expect(worth(mover)).toEqual(whole);
  const richer = aMoved({
    subscribers: [somebody("ann", { balance: "99", service: { expiresAt: NOW + 90 * DAY } })],
  });
  await runImport(mover, clerk, richer, NOW + 60);
  expect(worth(mover)).toEqual(whole);
  await runImport(mover, money, richer, NOW + 120);
  expect(worth(mover).people).toEqual([{ username: "ann", expires_at: NOW + 90 * DAY, balance: 9900 }]);
  expect(moveId).not.toBeNull();
});

test("whoever comes with a mobile number gets text messages, and who has none does not", async () => {
  using mover = await Mover.withIsp();
  const people = [somebody("ann", { mobile_number: "+34600111222" }), somebody("ben")];
  await runImport(mover, by, aMoved({ subscribers: people }));
  expect(mover.rows("SELECT username, sms_status FROM subscribers ORDER BY id")).toEqual([
    { username: "ann", sms_status: 1 },
    { username: "ben", sms_status: 0 },
  ]);
});

test("what a move brought of money and codes is taken back by who may give it", async () => {
  using mover = await Mover.withIsp();
  const { moveId } = await runImport(mover, by);
  const before = worth(mover);
  for (const actor of [clerk, money])
    expect(await undoMove(mover.db, actor, moveId ?? 0, { now: NOW }).catch(String)).toContain("is missing");
  expect(worth(mover)).toEqual(before);
  await undoMove(mover.db, by, moveId ?? 0, { now: NOW });
  expect(worth(mover).cards).toEqual([{ state: "void" }]);
});
