import type { Tx } from "../../db/open.ts";
import { createCardBatch } from "../../src/domain/cards/batches.ts";
import { cardNumber } from "../../src/domain/cards/codes.ts";
import { sellCard } from "../../src/domain/cards/sell.ts";
import { voidCard } from "../../src/domain/cards/void.ts";
import type { Seconds } from "../../src/domain/time.ts";
import { Random } from "./random.ts";
import { staff } from "./staff.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const HOTSPOT = 5;
const RESELLER = 4;

const manager = staff(8, "manager");
const clerk = staff(6, "clerk");

/** Three batches: one of the ISP that is half used, one that a reseller holds, and refills that nobody has bought yet. */
export function writeCards(tx: Tx, now: Seconds): void {
  const random = new Random(11);
  const hour = { kind: "access", package_id: HOTSPOT, duration: 1, duration_unit: "hour", devices: 1 };
  const make = (input: Record<string, unknown>, at: Seconds) =>
    createCardBatch(tx, manager, input, { now: at }).batch.id;
  const own = make(
    { ...hour, quantity: 210, price: "1.00", lock_first_device: 1, note: "Harbour kiosk" },
    now - 20 * DAY,
  );
  const held = make(
    {
      kind: "access",
      package_id: HOTSPOT,
      quantity: 84,
      price: "1.50",
      reseller_id: RESELLER,
      reseller_price: "1.20",
      charge_on: "use",
    },
    now - 6 * DAY,
  );
  make({ kind: "refill", quantity: 50, price: "10.00" }, now - 2 * DAY);
  for (const id of cardsOf(tx, own, 96))
    usedHour(tx, id, now - 2 * HOUR - random.between(0, 19 * DAY), random);
  for (const id of cardsOf(tx, own, 3)) usedHour(tx, id, now - random.between(600, 2400), random, now);
  for (const id of cardsOf(tx, held, 31))
    tx.$client.run("UPDATE cards SET state = 'sold', sold_at = ?, sold_by = ? WHERE id = ?", [
      now - random.between(0, 5 * DAY),
      RESELLER,
      id,
    ]);
  const atDesk = cardsOf(tx, own, 7);
  for (const id of atDesk) sellCard(tx, clerk, { id, method: "cash" }, { now });
  for (const id of cardsOf(tx, own, 2)) voidCard(tx, manager, { id, reason: "wet paper" }, { now });
}

/** The first cards of a batch that are still new. */
function cardsOf({ $client }: Tx, batchId: number, count: number): number[] {
  return $client
    .query<{ id: number }, [number, number]>(
      "SELECT id FROM cards WHERE batch_id = ? AND state = 'new' ORDER BY serial LIMIT ?",
    )
    .all(batchId, count)
    .map(({ id }) => id);
}

/** An hour that somebody had, with the session of it as accounting would have left it. */
function usedHour({ $client }: Tx, id: number, at: Seconds, random: Random, now?: Seconds): void {
  const lasted = now === undefined ? random.between(600, 3600) : now - at;
  const isOver = now === undefined;
  const octets = lasted * (20_000 + random.between(0, 200_000));
  const mac = `02:00:5E:00:${hex(Math.floor(id / 256))}:${hex(id % 256)}`;
  $client.run(
    `UPDATE cards SET state = 'active', first_used_at = ?, ends_at = ?, used_seconds = ?, used_octets = ?, locked_mac = ? WHERE id = ?`,
    [at, at + HOUR, lasted, octets, mac, id],
  );
  $client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, mac, started_at, updated_at, stopped_at, session_time, input_octets,
       output_octets, terminate_cause, closed_by, card_id)
     SELECT id, address, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM nas ORDER BY id LIMIT 1`,
    [
      `card-${id}`,
      cardNumber(id),
      mac,
      at,
      at + lasted,
      isOver ? at + lasted : null,
      lasted,
      Math.floor(octets / 9),
      octets - Math.floor(octets / 9),
      ...(isOver ? ["User-Request", "stop"] : [null, null]),
      id,
    ],
  );
}

const hex = (value: number) => (value % 256).toString(16).padStart(2, "0").toUpperCase();
