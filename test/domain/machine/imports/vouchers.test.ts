import { expect, test } from "bun:test";
import { CodeKeys } from "../../../../src/domain/goods/codes/codes.ts";
import type { MovedVoucher } from "../../../../src/domain/machine/imports/model.ts";
import { undoMove } from "../../../../src/domain/machine/imports/undo.ts";
import { readPhpNuxBill } from "../../../../src/domain/machine/imports/sources/phpnuxbill/phpnuxbill.ts";
import { readRadiusDesk } from "../../../../src/domain/machine/imports/sources/radiusdesk/radiusdesk.ts";
import type { ReadSource } from "../../../../src/domain/machine/imports/source.ts";
import { keptDump } from "../../../support/dumps/reading.ts";
import { options } from "./sources/rows.ts";
import { aSubscriber, by, DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, at, Mover, somebody } from "./mover.ts";

const later = { now: NOW + DAY };

function aVoucher(code: string, values: Partial<MovedVoucher> = {}): MovedVoucher {
  return { at, code, kind: "access", package: "home", price: "5.00", batch: "summer", ...values };
}

/** The codes of all cards, in the order of their batches. */
function codesOf({ db }: Mover): [batch: number, serial: number, code: string][] {
  return db.$client
    .query<{ batch: number; serial: number; sealed: Uint8Array }, []>(
      "SELECT batch_id AS batch, serial, code_sealed AS sealed FROM cards ORDER BY id",
    )
    .all()
    .map(({ batch, serial, sealed }) => [batch, serial, db.vault.openText(sealed)]);
}

const batches = (mover: Mover) =>
  mover.rows(
    `SELECT kind, quantity, price, note, origin, prefix, length, alphabet, duration, duration_unit, rate_limit, uptime_seconds, sell_by, use_by
     FROM card_batches ORDER BY id`,
  );

test("codes become cards, a batch for what was made together, of one package and price", async () => {
  using mover = await Mover.withIsp();
  const { report } = await mover.run(
    aMoved({
      vouchers: [
        aVoucher("ABCD-1234"),
        aVoucher("dearer-1", { price: "7.50" }),
        aVoucher("efgh 5678"),
        aVoucher("later-77", { kind: "package", price: null, batch: null }),
        aVoucher("money-77", { kind: "refill", package: null, price: "20" }),
        aVoucher("timed-77", {
          batch: "timed",
          validity: { count: 3, unit: "day" },
          uptimeSeconds: 3600,
          endsAt: NOW + DAY,
        }),
      ],
    }),
  );
  const form = { origin: "radius", prefix: "", length: null, alphabet: null };
  const none = { duration: null, duration_unit: null, rate_limit: null, uptime_seconds: null };
  const open = { sell_by: null, use_by: null };
  const terms = { duration: 1, duration_unit: "month", rate_limit: "5M/20M", uptime_seconds: null };
  expect(batches(mover)).toEqual([
    { kind: "access", quantity: 2, price: 500, note: "summer", ...form, ...terms, ...open },
    { kind: "access", quantity: 1, price: 750, note: "summer", ...form, ...terms, ...open },
    { kind: "package", quantity: 1, price: 1500, note: null, ...form, ...none, ...open },
    { kind: "refill", quantity: 1, price: 2000, note: "summer", ...form, ...none, ...open },
    {
      kind: "access",
      quantity: 1,
      price: 500,
      note: "timed",
      ...form,
      ...terms,
      duration: 3,
      duration_unit: "day",
      uptime_seconds: 3600,
      sell_by: NOW + DAY,
      use_by: NOW + DAY,
    },
  ]);
  expect(codesOf(mover)).toEqual([
    [1, 1, "ABCD1234"],
    [1, 2, "EFGH5678"],
    [2, 1, "DEARER1"],
    [3, 1, "LATER77"],
    [4, 1, "MONEY77"],
    [5, 1, "TIMED77"],
  ]);
  const key = Buffer.from(
    String(mover.row("SELECT hex(code_key) AS key FROM cards WHERE id = 1")?.["key"]),
    "hex",
  );
  expect(key.equals(new CodeKeys(mover.db.vault).of("ABCD1234"))).toBe(true);
  expect(report.counts.vouchers).toEqual({ found: 6, new: 6, changed: 0, same: 0, refused: 0 });
  expect(report.cards?.map(({ cards }) => cards)).toEqual([2, 1, 1, 1, 1]);
  expect(mover.noticesOf("voucher")[0]).toEqual([
    "summer",
    "come as access cards of Home, 5.00 each: the code is name and password",
  ]);
});

test("a code that somebody tried before it came is hidden in logins and sessions, which keep how it begins", async () => {
  using mover = await Mover.withIsp();
  const { $client } = mover.db;
  for (const name of ["wifi\\abcd-1234", "ABCD1234", "somebody"]) {
    $client.run(
      "INSERT INTO auth_log (at, nas_address, username, accepted, reason) VALUES (?, '192.0.2.1', ?, 0, 'unknown_user')",
      [NOW, name],
    );
    $client.run(
      "INSERT INTO sessions (nas_address, acct_session_id, username, started_at, updated_at) VALUES ('192.0.2.1', 'a', ?, ?, ?)",
      [name, NOW, NOW],
    );
  }
  await mover.run(aMoved({ vouchers: [aVoucher("ABCD-1234")] }));
  const kept = [{ username: "ABC…" }, { username: "ABC…" }, { username: "somebody" }];
  expect(mover.rows("SELECT username FROM auth_log ORDER BY id")).toEqual(kept);
  expect(mover.rows("SELECT username FROM sessions ORDER BY id")).toEqual(kept);
});

test("codes that cannot come are told by their beginning alone, and none stands anywhere in clear text", async () => {
  using mover = await Mover.withIsp({ subscribers: [aSubscriber(1, { username: "uncle77" })] });
  await mover.run(aMoved({ vouchers: [aVoucher("HERE-BEFORE")] }), { source: "csv" });
  const { report } = await mover.run(
    aMoved({
      subscribers: [somebody("auntie-9")],
      vouchers: [
        ...[aVoucher("FINE-CODE-1"), aVoucher("finecode1"), aVoucher("a-b"), aVoucher("x".repeat(65))],
        ...[aVoucher("UNCLE-77"), aVoucher("auntie-9"), aVoucher("here before"), aVoucher("bad\uFFFDcode")],
        ...[aVoucher("gone-plan-1", { package: "gone" }), aVoucher("no-plan-1", { package: null })],
        aVoucher("no-money-1", { kind: "refill", package: null, price: null }),
      ],
    }),
  );
  expect(report.counts.vouchers).toEqual({ found: 11, new: 1, changed: 0, same: 0, refused: 10 });
  expect(mover.noticesOf("double")).toEqual([
    ["fin…", "is another code but for case, blanks and dashes: the first came"],
  ]);
  expect(mover.noticesOf("refused").map(([who, text]) => `${who} ${text.slice(0, 35)}`)).toEqual([
    "a… is a code of fewer than 4 letters a",
    "xxx… is a code of more than 64 letters a",
    "UNC… is a username here, which would win",
    "aun… is a username here, which would win",
    "her… is the code of a card that is here ",
    "bad… is a code with characters that were",
    "gon… its package is not known there any ",
    "no-… its package is not known there any ",
    "no-… what it brings into a wallet is not",
  ]);
  const everything = JSON.stringify([
    mover.dump(),
    mover.rows("SELECT * FROM moves"),
    mover.rows("SELECT * FROM audit_entries"),
  ]);
  for (const code of ["FINE-CODE-1", "FINECODE1", "finecode1", "HERE-BEFORE", "HEREBEFORE"])
    expect(everything).not.toContain(code);
});

test("a short code is told, once for all", async () => {
  using mover = await Mover.withIsp();
  await mover.run(
    aMoved({
      vouchers: [aVoucher("12345678"), aVoucher("123456789"), aVoucher("QWERTY"), aVoucher("QWERTYU")],
    }),
  );
  expect(mover.noticesOf("note")).toEqual([
    [
      "cards",
      expect.stringContaining("short enough to be guessed in time, which codes made here are not: 2;"),
    ],
  ]);
});

test("a further run finds them again, brings new ones, and makes those void that were used there", async () => {
  using mover = await Mover.withIsp();
  const vouchers = ["used-there", "used-both", "still-good", "sold-here"].map((code) => aVoucher(code));
  await mover.run(aMoved({ vouchers }));
  mover.db.$client.run("UPDATE cards SET state = 'active', first_used_at = ? WHERE id = 2", [NOW]);
  const { report } = await mover.run(
    aMoved({
      vouchers: [aVoucher("STILL GOOD"), aVoucher("brand-new"), aVoucher("sold-here")],
      spentCodes: [
        { at, code: "used-there" },
        { at, code: "Used There" },
        { at, code: "used-both" },
        { at, code: "of-nobody" },
      ],
    }),
    later,
  );
  expect(report.counts.vouchers).toEqual({ found: 3, new: 1, changed: 1, same: 2, refused: 0 });
  expect(mover.rows("SELECT id, state, void_reason, voided_at FROM cards ORDER BY id")).toEqual([
    { id: 1, state: "void", void_reason: "used in radius", voided_at: later.now },
    { id: 2, state: "active", void_reason: null, voided_at: null },
    { id: 3, state: "new", void_reason: null, voided_at: null },
    { id: 4, state: "new", void_reason: null, voided_at: null },
    { id: 5, state: "new", void_reason: null, voided_at: null },
  ]);
  expect(mover.noticesOf("voucher_spent")).toEqual([["C-000001", "opens nothing here any more"]]);
  expect(mover.noticesOf("kept_here")).toEqual([["C-000002", "was used there, and is active here"]]);
});

test("undo makes void what nobody sold or used, and a further run makes that good again", async () => {
  using mover = await Mover.withIsp();
  const vouchers = ["nobody-1", "nobody-2", "sold-one"].map((code) => aVoucher(code));
  const { moveId } = await mover.run(
    aMoved({ vouchers: [...vouchers, aVoucher("other-batch", { batch: "b" })] }),
  );
  mover.db.$client.run("UPDATE cards SET state = 'sold', sold_at = ? WHERE id = 3", [NOW]);
  expect(await undoMove(mover.db, by, Number(moveId), later)).toEqual({
    archived: 0,
    voided: 3,
    stayed: [{ username: "C-000003", reason: "card" }],
  });
  const states = () => mover.rows("SELECT state FROM cards ORDER BY id").map(({ state }) => state);
  expect(states()).toEqual(["void", "void", "sold", "void"]);
  expect(mover.rows("SELECT voided_at FROM card_batches ORDER BY id")).toEqual([
    { voided_at: null },
    { voided_at: later.now },
  ]);
  const { report } = await mover.run(
    aMoved({ vouchers: [...vouchers, aVoucher("other-batch", { batch: "b" })] }),
    later,
  );
  expect(report.counts.vouchers).toEqual({ found: 4, new: 3, changed: 0, same: 1, refused: 0 });
  expect(states()).toEqual(["new", "new", "sold", "new"]);
  expect(mover.rows("SELECT voided_at FROM card_batches ORDER BY id")).toEqual([
    { voided_at: null },
    { voided_at: null },
  ]);
});

test("what comes again after an undo has the terms of now, under a number of its own where they are others", async () => {
  using mover = await Mover.withIsp();
  const vouchers = [aVoucher("again-11"), aVoucher("again-22"), aVoucher("same-333", { batch: "same" })];
  const { moveId } = await mover.run(aMoved({ vouchers }));
  await undoMove(mover.db, by, Number(moveId), later);
  const dearer = ["again-11", "again-22"].map((code) =>
    aVoucher(code, { price: "9.00", endsAt: NOW + 9 * DAY }),
  );
  dearer.push(aVoucher("same-333", { batch: "same" }));
  const { report } = await mover.run(aMoved({ vouchers: dearer }), later);
  expect(report.counts.vouchers).toEqual({ found: 3, new: 3, changed: 0, same: 0, refused: 0 });
  expect(mover.rows("SELECT id, quantity, price, sell_by, voided_at FROM card_batches ORDER BY id")).toEqual([
    { id: 1, quantity: 2, price: 500, sell_by: null, voided_at: later.now },
    { id: 2, quantity: 1, price: 500, sell_by: null, voided_at: null },
    { id: 3, quantity: 2, price: 900, sell_by: NOW + 9 * DAY, voided_at: null },
  ]);
  expect(mover.rows("SELECT id, batch_id, serial, state FROM cards ORDER BY id")).toEqual([
    { id: 1, batch_id: 1, serial: 1, state: "void" },
    { id: 2, batch_id: 1, serial: 2, state: "void" },
    { id: 3, batch_id: 2, serial: 1, state: "new" },
    { id: 4, batch_id: 3, serial: 1, state: "new" },
    { id: 5, batch_id: 3, serial: 2, state: "new" },
  ]);
  const keys = new CodeKeys(mover.db.vault);
  const find = mover.db.$client.query<{ id: number }, [Buffer]>("SELECT id FROM cards WHERE code_key = ?");
  expect(["AGAIN11", "AGAIN22", "SAME333"].map((code) => find.get(keys.of(code))?.id)).toEqual([4, 5, 3]);
  expect(new Set(codesOf(mover).map(([, , code]) => code)).size).toBe(5);
  // and a third run finds them
  const { report: third } = await mover.run(aMoved({ vouchers: dearer }), later);
  expect(third.counts.vouchers).toMatchObject({ new: 0, same: 3 });
});

test("a card that staff made void stays so, whatever further runs bring", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved({ vouchers: [aVoucher("stolen-1")] }));
  mover.db.$client.run("UPDATE cards SET state = 'void', void_reason = 'stolen'");
  const { report } = await mover.run(aMoved({ vouchers: [aVoucher("stolen-1")] }), later);
  expect(report.counts.vouchers).toMatchObject({ new: 0, same: 1 });
  expect(mover.rows("SELECT state FROM cards")).toEqual([{ state: "void" }]);
});

test("nor does a run make it good on an appliance that its cards were brought to", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved({ vouchers: [aVoucher("stolen-1"), aVoucher("dearer-1")] }));
  mover.db.$client.run("UPDATE cards SET state = 'void', void_reason = 'stolen', voided_at = ?", [NOW]);
  mover.db.$client.run("DELETE FROM moved_rows WHERE kind = 'voucher'"); // what a data set leaves behind
  const { report } = await mover.run(
    aMoved({ vouchers: [aVoucher("stolen-1"), aVoucher("dearer-1", { price: "9.00" })] }),
    later,
  );
  expect(report.counts.vouchers).toMatchObject({ new: 0, refused: 2 });
  expect(mover.rows("SELECT state FROM cards")).toEqual([{ state: "void" }, { state: "void" }]);
});

test("a dry run writes no card and says how many would come", async () => {
  using mover = await Mover.withIsp();
  const { report } = await mover.run(aMoved({ vouchers: [aVoucher("dry-run-1")] }), { dryRun: true });
  expect(report.counts.vouchers).toMatchObject({ new: 1 });
  expect(mover.rows("SELECT 1 FROM cards")).toEqual([]);
});

const copies: [file: string, source: ReadSource, cards: unknown, reported: unknown][] = [
  [
    "phpnuxbill.mariadb.sql",
    readPhpNuxBill,
    [
      [1, 1, "HS11112222"],
      [1, 2, "HS33334444"],
      [2, 1, "OFAGONEPLAN"],
    ],
    [
      { kind: "package", package: "Hotspot 1 hour", price: "2000.00", cards: 2 },
      { kind: "package", package: "A plan that is gone", price: "0.00", cards: 1 },
    ],
  ],
  [
    "radiusdesk.mariadb.sql",
    readRadiusDesk,
    [
      [1, 1, "CARD0001"],
      [2, 1, "TWOWORDS"],
    ],
    [
      { kind: "access", package: "Hour", price: "0.00", cards: 1 },
      { kind: "access", package: "Hour", price: "0.00", cards: 1 },
    ],
  ],
];

test.each(copies)("the codes of %s become cards", async (file, source, cards, reported) => {
  using mover = await Mover.withIsp();
  const read = () => source([keptDump(file)], { ...options("Asia/Amman"), progress: () => {} });
  const { report } = await mover.run(await read());
  expect(codesOf(mover)).toEqual(cards as ReturnType<typeof codesOf>);
  expect(report.cards).toMatchObject(reported as object[]);
  const { new: made, refused } = report.counts.vouchers;
  const again = await mover.run(await read(), later);
  expect(again.report.counts.vouchers).toMatchObject({ new: 0, same: made, changed: 0, refused });
});
