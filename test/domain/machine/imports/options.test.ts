import { expect, test } from "bun:test";
import { moveIn } from "../../../../src/domain/machine/imports/move-in.ts";
import { Notices } from "../../../../src/domain/machine/imports/notices.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { by } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, Mover, somebody } from "./mover.ts";

const family = aMoved({
  subscribers: [
    somebody("ann", { mobile_number: "0300 1", phone_number: "021 5" }),
    somebody("bob", { mobile_number: "0300 1", phone_number: "021 5" }),
  ],
});
const numbers = (mover: Mover) =>
  mover.rows("SELECT username, mobile_number, phone_number, sms_status FROM subscribers ORDER BY id");

test("families share numbers where it is said: all keep theirs, in later runs too, and nobody is told of", async () => {
  using mover = await Mover.withIsp();
  await mover.run(family, { dryRun: true });
  expect(mover.noticesOf("shared")).toHaveLength(2);
  const tried = await mover.run(family, { dryRun: true, shareNumbers: true });
  expect([tried.moveId, mover.noticesOf("shared")]).toEqual([null, []]);
  expect(mover.rows("SELECT * FROM settings WHERE key = 'unique_contacts'")).toEqual([]);

  await mover.run(family, { shareNumbers: true });
  const both = { mobile_number: "0300 1", phone_number: "021 5", sms_status: 1 };
  expect(numbers(mover)).toEqual([
    { username: "ann", ...both },
    { username: "bob", ...both },
  ]);
  expect(mover.rows("SELECT action, before, after FROM audit_entries WHERE entity = 'setting'")).toEqual([
    { action: expect.any(String), before: '{"unique_contacts":1}', after: '{"unique_contacts":0}' },
  ]);
  await mover.run(family, { now: NOW + 60 });
  expect(mover.noticesOf("shared")).toEqual([]);
  expect(numbers(mover)).toHaveLength(2);
});

test("it is the whole box's: who may not change its settings brings nobody in so", async () => {
  using mover = await Mover.withIsp();
  const options = {
    ispId: 1,
    source: "csv",
    files: [],
    now: NOW,
    zone: "UTC",
    shareNumbers: true,
    notices: new Notices(),
  };
  const admin: Actor = { ...by, scope: { ...by.scope, ispId: 1 } };
  await expect(moveIn(mover.db, admin, family, options)).rejects.toThrow("a setting of the whole box");
  expect(numbers(mover)).toEqual([]);
});

test("who is new renews by itself where it is said, but for whom the source says otherwise of", async () => {
  using mover = await Mover.withIsp();
  const people = aMoved({
    subscribers: [
      somebody("ann"),
      somebody("bob", { autoRenew: false }),
      somebody("cat", { autoRenew: true }),
    ],
  });
  const renewing = () => mover.rows("SELECT username, auto_renew FROM subscribers ORDER BY id");
  await mover.run(people, { autoRenew: true });
  const text = [
    { username: "ann", auto_renew: 1 },
    { username: "bob", auto_renew: 0 },
    { username: "cat", auto_renew: 1 },
  ];
  expect(renewing()).toEqual(text);

  // who was switched off here since stays so, and who is new follows what is said then
  mover.db.$client.run("UPDATE subscribers SET auto_renew = 0 WHERE username = 'ann'");
  await mover.run(aMoved({ subscribers: [...people.subscribers, somebody("dan")] }), {
    autoRenew: true,
    now: NOW + 60,
  });
  expect(renewing()).toEqual([
    { username: "ann", auto_renew: 0 },
    ...text.slice(1),
    { username: "dan", auto_renew: 1 },
  ]);
  expect(mover.noticesOf("kept_here")).toEqual([]);
});
