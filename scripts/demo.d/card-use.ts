import { eq } from "drizzle-orm";
import { cards } from "../../db/schema.ts";
import type { Tx } from "../../db/open.ts";
import { cardNumber } from "../../src/domain/goods/codes/codes.ts";
import { countFirstUse } from "../../src/domain/service/cards/days.ts";
import { useCard } from "../../src/domain/service/cards/use.ts";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import type { Random } from "./random.ts";

interface Use {
  readonly at: Seconds;
  /** Seconds from the first use; null: the clock does not end it. */
  readonly lasts: Seconds | null;
  readonly random: Random;
  /** What is used of its data. */
  readonly bytes?: number;
  readonly isOnline?: boolean;
  /** Of one that may not be over yet. */
  readonly now?: Seconds;
}

/** A card that somebody used, with the session of it as accounting would have left it. */
export function use(tx: Tx, id: number, { at, lasts, random, bytes, isOnline = false, now }: Use): void {
  const { $client } = tx;
  const most = Math.max(60, Math.min(lasts ?? 3600, (now ?? Infinity) - at, 3 * 3600));
  const seconds = isOnline && now !== undefined ? now - at : random.between(Math.min(600, most), most);
  const octets = bytes ?? seconds * (20_000 + random.between(0, 200_000));
  const mac = `02:00:5E:00:${hex(Math.floor(id / 256))}:${hex(id % 256)}`;
  const card = tx.select().from(cards).where(eq(cards.id, id)).get();
  if (card) countFirstUse(tx, card, at);
  $client.run(
    `UPDATE cards SET state = 'active', first_used_at = ?, ends_at = ?,
       locked_mac = (SELECT iif(lock_first_device, ?, NULL) FROM card_batches b WHERE b.id = batch_id) WHERE id = ?`,
    [at, lasts === null ? null : at + lasts, mac, id],
  );
  useCard(tx, { cardId: id, seconds, octets, at: at + seconds });
  $client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, mac, started_at, updated_at, stopped_at, session_time, input_octets,
       output_octets, terminate_cause, closed_by, card_id)
     SELECT id, address, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM nas ORDER BY id LIMIT 1`,
    [
      `80${(0xc00000 + id).toString(16)}`,
      cardNumber(id),
      mac,
      at,
      at + seconds,
      isOnline ? null : at + seconds,
      seconds,
      Math.floor(octets / 9),
      octets - Math.floor(octets / 9),
      ...(isOnline ? [null, null] : ["User-Request", "stop"]),
      id,
    ],
  );
  decided($client, id, { at: at - 1, reason: "accepted", mac });
}

/** Somebody tried it with a device of their own, and was not let in. */
export function refuse({ $client }: Tx, id: number, { at, reason }: { at: Seconds; reason: string }): void {
  decided($client, id, { at, reason, mac: "02:00:5E:10:00:01" });
}

function decided(
  client: Tx["$client"],
  id: number,
  { at, reason, mac }: { at: Seconds; reason: string; mac: string },
): void {
  client.run(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, accepted, reason, method, mac, card_id)
     SELECT ?, id, address, ?, ?, ?, 'pap', ?, ? FROM nas ORDER BY id LIMIT 1`,
    [at, cardNumber(id), reason === "accepted" ? 1 : 0, reason, mac, id],
  );
}

const hex = (value: number) => (value % 256).toString(16).padStart(2, "0").toUpperCase();
