import { expect, test } from "bun:test";
import { checkStore } from "../../../../src/domain/machine/check/check.ts";
import { listMoves, moveById } from "../../../../src/domain/machine/imports/moves.ts";
import { undoMove } from "../../../../src/domain/machine/imports/undo.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { aSubscriber, by, DAY } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, aMovedSession, Mover, somebody } from "./mover.ts";

const later = { now: NOW + DAY };

test("archives whom a move made and nobody has used, and says who stays and why", async () => {
  using mover = await Mover.withIsp({ subscribers: [aSubscriber(1, { username: "old" })] });
  const names = ["ann", "bob", "cat", "dan", "eve"];
  const subscribers = names.map((name) => somebody(name, { balance: name === "eve" ? "-5.00" : "10.00" }));
  const moved = aMoved({ subscribers: [...subscribers, somebody("old")], sessions: [aMovedSession("ann")] });
  const { moveId } = await mover.run(moved);
  const idOf = (name: string) => Number(mover.subscriber(name)?.["id"]);
  adjustWallet(mover.db, by, { subscriberId: idOf("bob"), amount: 100, reason: "gift" }, later);
  insertSessions(mover.db, { subscriberId: idOf("cat"), nasId: 1 });
  updateSubscriber(mover.db, by, { username: "dan", box_number: "7" }, { ...later, toJson: (one) => one });
  expect(await undoMove(mover.db, by, Number(moveId), later)).toEqual({
    archived: 2,
    voided: 0,
    stayed: [
      { username: "bob", reason: "money" },
      { username: "cat", reason: "session" },
      { username: "dan", reason: "changed" },
    ],
  });
  expect(mover.rows("SELECT username FROM subscribers WHERE archived_at IS NULL ORDER BY username")).toEqual(
    ["bob", "cat", "dan", "old"].map((username) => ({ username })),
  );
  expect(
    mover.rows(
      "SELECT balance FROM wallets w JOIN subscribers s ON s.id = w.subscriber_id WHERE archived_at > 0",
    ),
  ).toEqual([{ balance: 0 }, { balance: 0 }]);
  expect(mover.rows("SELECT closed_by FROM sessions WHERE moved_in = 1")).toEqual([{ closed_by: "lost" }]);
  expect(checkStore(mover.db, by, later).filter(({ severity }) => severity === "error")).toEqual([]);
  expect(undoMove(mover.db, by, Number(moveId), later)).rejects.toMatchObject({ kind: "refused" });
});

test("after that a further run brings them anew", async () => {
  using mover = await Mover.withIsp();
  const moved = aMoved({ subscribers: [somebody("ann", { balance: "10.00", mobile_number: "0770 1234" })] });
  const { moveId } = await mover.run(moved);
  await undoMove(mover.db, by, Number(moveId), later);
  const { report } = await mover.run(moved, later);
  expect(report.counts.subscribers).toMatchObject({ new: 1 });
  expect(mover.rows("SELECT mobile_number, archived_at FROM subscribers ORDER BY id")).toEqual([
    { mobile_number: "0770 1234", archived_at: later.now },
    { mobile_number: "0770 1234", archived_at: null },
  ]);
});

test("of two runs each takes back its own", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved({ subscribers: [somebody("ann")] }));
  const second = await mover.run(
    aMoved({ subscribers: [somebody("ann", { address: "b" }), somebody("bob")] }),
    later,
  );
  expect(await undoMove(mover.db, by, Number(second.moveId), later)).toEqual({
    archived: 1,
    voided: 0,
    stayed: [],
  });
  expect(mover.subscriber("ann")).toMatchObject({ archived_at: null, address: "b" });
  expect(listMoves(mover.db, by, { limit: 10 }).map(({ id, undoneAt }) => [id, undoneAt])).toEqual([
    [2, later.now],
    [1, null],
  ]);
  expect(await undoMove(mover.db, by, 1, later)).toEqual({ archived: 1, voided: 0, stayed: [] });
  expect(moveById(mover.db, by, 1).report.counts.subscribers).toMatchObject({ new: 1 });
});
