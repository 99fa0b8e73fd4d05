import { lines, match } from "../match.ts";
import type { World } from "../world.ts";

/** What stands of every card: its state, its sale, its first use and end, what was used of it, and what the sums of its batch say. */
export function cards(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    `SELECT 'C-' || substr('00000' || id, -6), batch_id, state, ifnull(sold_by, '-'), ifnull(sold_at, '-'), ifnull(first_used_at, '-'),
       ifnull(ends_at, '-'), used_seconds, used_octets, ifnull(used_up_at, '-'), ifnull(locked_mac, '-'),
       ifnull(redeemed_by, '-'), ifnull(charged_at, '-') FROM cards`,
  );
  const shouldBe = world.model.cards.batches.flatMap((batch) =>
    batch.cards.map((card) =>
      [
        ...[card.name, batch.id, card.state, card.soldBy ?? "-", card.soldAt ?? "-", card.firstUsedAt ?? "-"],
        ...[card.endsAt ?? "-", card.seconds, card.octets, card.usedUpAt ?? "-", card.lockedTo ?? "-"],
        ...[card.redeemedBy ?? "-", card.chargedAt ?? "-"],
      ].join(" "),
    ),
  );
  return match(world, "a card", lines(is), shouldBe);
}

/** Which card moved which money. */
export function cardEntries(world: World): number {
  const is = world.box.rows<Record<string, unknown>>(
    `SELECT 'C-' || substr('00000' || card_id, -6), CASE WHEN subscriber_id IS NULL THEN 'staff ' || staff_id ELSE 'user' || subscriber_id END,
       amount, created_at FROM ledger_entries WHERE kind = 'card' AND card_id IS NOT NULL`,
  );
  return match(world, "money of a card", lines(is), world.model.cards.entries);
}

const STANDINGS = ["new", "sold", "active", "used up", "expired", "void"] as const;

/** What the API says of every batch: how many of its cards are worth what. */
export async function batches(world: World): Promise<number> {
  const { box, model } = world;
  const { body } = await box.call("GET", "/api/v1/card_batch/list?limit=1000");
  const rows = Array.isArray(body) ? body : [];
  const is = rows.map((batch) =>
    [
      ...[`batch${batch.id}`, batch.cards_new, batch.cards_sold, batch.cards_active],
      ...[batch.cards_used_up, batch.cards_expired, batch.cards_void],
    ].join(" "),
  );
  const shouldBe = model.cards.batches.map(({ id, cards: all }) => {
    const standings = Map.groupBy(all, (card) => model.cards.standing(card, box.now));
    return [`batch${id}`, ...STANDINGS.map((one) => standings.get(one)?.length ?? 0)].join(" ");
  });
  return match(world, "the stock of a batch", is, shouldBe);
}
