import { expect, test } from "bun:test";
import { recordFirstUse } from "../../../../src/domain/service/cards/first-use.ts";
import { dueCardSessions } from "../../../../src/domain/service/enforcement/due-cards.ts";
import { write } from "../../../../db/open.ts";
import { aReport, Replication, type TestNode } from "../../../support/replication.ts";
import { cardRow, makeCard, type MadeCard } from "../../../support/card-codes.ts";
import { loadIsp } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";

const HOUR = 3600;

async function aWorld(): Promise<{ world: Replication; card: MadeCard; a: TestNode; b: TestNode }> {
  const world = new Replication(2);
  await loadIsp(world.primary);
  const card = makeCard(world.primary, { devices: 2 });
  world.begin();
  world.settle();
  const [a, b] = world.boxes;
  if (!a || !b) throw new Error("two boxes");
  return { world, card, a, b };
}

/** An Accept, as a box writes it down and tells of it. */
function accept(node: TestNode, { id: cardId }: MadeCard, at: number): void {
  node.moveTo(at);
  write(node.db, (tx) => recordFirstUse(tx, { cardId, at, mac: null }));
  node.decided([
    {
      at,
      username: "C-000001",
      cardId,
      subscriberId: null,
      isCardUse: true,
      accepted: true,
      reason: "accepted",
      mac: null,
      nasId: 1,
      nasAddress: "127.0.0.1",
      class: null,
      method: "pap",
    } as never,
  ]);
}

function begin(node: TestNode, { id, code }: MadeCard, at: number): void {
  node.moveTo(at);
  const values = {
    acctSessionId: `8100000${node.id}`,
    nasAddress: `127.0.0.${node.id}`,
    subscriberId: null,
    cardId: id,
  };
  node.account(aReport({ ...values, at, username: code, mac: `02:00:00:00:00:0${node.id}` } as never));
}

test("two boxes that cannot hear each other each accept a new card: the earlier use counts, and both sessions end by it", async () => {
  const { world, card, a, b } = await aWorld();
  using _ = world;
  accept(b, card, NOW + 600);
  begin(b, card, NOW + 601);
  accept(a, card, NOW + 100);
  begin(a, card, NOW + 101);
  expect(cardRow(b.db, card.id)).toMatchObject({ first_used_at: NOW + 600, ends_at: NOW + 600 + HOUR });
  for (const node of [b, a]) {
    node.moveTo(NOW + 700);
    world.now = NOW + 700;
    world.takeHome(node);
  }
  expect(cardRow(world.primary, card.id)).toMatchObject({
    state: "active",
    first_used_at: NOW + 100,
    ends_at: NOW + 100 + HOUR,
  });
  world.settle();
  for (const node of [a, b]) {
    expect(cardRow(node.db, card.id)).toMatchObject({ first_used_at: NOW + 100, ends_at: NOW + 100 + HOUR });
    expect(dueCardSessions(node.db, NOW + 99 + HOUR)).toEqual([]);
    expect(dueCardSessions(node.db, NOW + 100 + HOUR)).toMatchObject([{ nasAddress: `127.0.0.${node.id}` }]);
  }
  expect(world.refused).toEqual([]);
});

test("what the books say of a card meanwhile takes no first use back that is on its way to them", async () => {
  const { world, card, a, b } = await aWorld();
  using _ = world;
  accept(a, card, NOW + 100);
  begin(a, card, NOW + 101);
  accept(b, card, NOW + 50);
  world.primary.$client.run("UPDATE cards SET state = 'sold' WHERE id = 1");
  world.publish();
  a.hear(world.bucket);
  expect(cardRow(a.db, card.id)).toMatchObject({ state: "active", first_used_at: NOW + 100 });
  expect(dueCardSessions(a.db, NOW + 200)).toEqual([]);
  b.moveTo(NOW + 200);
  world.now = NOW + 200;
  world.takeHome(b); // an earlier one elsewhere counts here too
  world.publish();
  a.hear(world.bucket);
  expect(cardRow(a.db, card.id)).toMatchObject({
    state: "active",
    first_used_at: NOW + 50,
    ends_at: NOW + 50 + HOUR,
  });
  world.primary.$client.run("UPDATE cards SET state = 'void' WHERE id = 1");
  world.publish();
  a.hear(world.bucket);
  expect(dueCardSessions(a.db, NOW + 200)).toHaveLength(1);
});

test("a card that was to be sold by a day is not let in after it at a box either", async () => {
  const { world, a } = await aWorld();
  using _ = world;
  makeCard(world.primary, { sell_by: "2030-01-15 12:01:00" });
  world.settle();
  const sold = a.one<{ by: number }>("SELECT sell_by AS by FROM card_batches WHERE id = 2");
  expect(sold).toEqual(world.one("SELECT sell_by AS by FROM card_batches WHERE id = 2"));
  expect(sold.by).toBeGreaterThan(0);
});

test("a card that was taken back and brought again under another number is heard of in any order", async () => {
  const { world, card, a } = await aWorld();
  using _ = world;
  world.primary.$client.run("UPDATE cards SET id = id + 9 WHERE id = ?", [card.id]);
  world.primary.$client.run(
    "INSERT INTO access_marks SELECT 'c.' || id, 1, 1 FROM cards WHERE true ON CONFLICT DO NOTHING",
  );
  world.primary.$client.run(
    "INSERT INTO access_marks VALUES (?, 1, 1) ON CONFLICT (key) DO UPDATE SET mark = mark + 1",
    [`c.${card.id}`],
  );
  world.publish();
  a.hear([...world.bucket].reverse());
  expect(a.db.$client.query("SELECT id FROM cards").values()).toEqual([[card.id + 9]]);
});
