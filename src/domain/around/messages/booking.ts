import { type Db, type Tx, write } from "../../../../db/open.ts";
import { channels, messages } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import type { Leaving } from "./sending.ts";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds after each attempt that failed until the next; after the last the message has failed. */
const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR] as const;
/** Seconds that a channel that fails for everybody is left alone: as long as it has been down, within these. */
const SHORTEST_DOWN = MINUTE;
const LONGEST_DOWN = 30 * MINUTE;
/** Messages in a row that fail before it is the channel that does. */
const IN_A_ROW = 5;

/**
 * What came of sending: it was taken; refused for good; failed and may go again; the channel itself fails, whatever is sent; or nobody
 * knows whether it arrived.
 */
export type Came =
  | { readonly kind: "sent" }
  | { readonly kind: "refused" | "failed" | "unknown"; readonly reason: string }
  | { readonly kind: "down"; readonly reason: string; readonly retryAfter?: number | undefined };

/**
 * Writes what came of a message that left, and when it goes again. `failures`: how many in a row the channel had with this one, which are its own
 * after some. `random` is between 0 and 1.
 */
export function bookMessage(
  db: Db,
  by: Actor,
  { messageId: id, channelId, attempts }: Pick<Leaving, "messageId" | "channelId" | "attempts">,
  { came, failures }: { came: Came; failures: number },
  { now, random }: { now: Seconds; random: number },
): void {
  permit(by, "bookMessage");
  write(db, (tx) => {
    if (came.kind === "sent") {
      update(tx, messages, { state: "sent", endedAt: now, reason: null }, { id });
      return comeUp(tx, channelId);
    }
    const { reason } = came;
    if (came.kind === "down") {
      // what fails for everybody is no attempt of this one; another one is tried next
      update(tx, messages, { state: "waiting", attempts: attempts - 1, nextAt: now + 1, reason }, { id });
      return goDown(tx, channelId, came, now);
    }
    if (came.kind === "refused") {
      update(tx, messages, { state: "failed", endedAt: now, reason }, { id });
      return comeUp(tx, channelId);
    }
    if (came.kind === "unknown" && !goesAgain(tx, channelId)) {
      update(tx, messages, { state: "perhaps", endedAt: now, reason }, { id });
    } else {
      const pause = PAUSES[attempts - 1];
      const again =
        pause === undefined
          ? { state: "failed" as const, endedAt: now }
          : { state: "waiting" as const, nextAt: now + Math.ceil(pause * (1 + 0.2 * random)) };
      update(tx, messages, { ...again, reason }, { id });
    }
    if (failures >= IN_A_ROW) goDown(tx, channelId, came, now);
  });
}

/** Whether who gets it knows one that comes again: mail by its Message-ID, others where our id is passed on. */
function goesAgain({ $client }: Tx, channelId: number): boolean {
  const row = $client
    .query<{ kind: string; passesId: number }, [number]>(
      "SELECT kind, passes_id AS passesId FROM channels WHERE id = ?",
    )
    .get(channelId);
  return row?.kind === "smtp" || row?.passesId === 1;
}

function comeUp(tx: Tx, id: number): void {
  const isDown = tx.$client
    .query("SELECT 1 FROM channels WHERE id = ? AND (down_since IS NOT NULL OR try_at IS NOT NULL)")
    .get(id);
  if (isDown) update(tx, channels, { downSince: null, downReason: null, tryAt: null }, { id });
}

function goDown(
  tx: Tx,
  id: number,
  came: { reason: string; retryAfter?: number | undefined },
  now: Seconds,
): void {
  const since =
    tx.$client
      .query<{ since: number | null }, [number]>("SELECT down_since AS since FROM channels WHERE id = ?")
      .get(id)?.since ?? now;
  const pause = Math.min(Math.max(now - since, SHORTEST_DOWN), LONGEST_DOWN);
  const wait = Math.min(came.retryAfter ?? 0, 24 * HOUR);
  update(
    tx,
    channels,
    { downSince: since, downReason: came.reason, tryAt: now + Math.max(pause, wait) },
    { id },
  );
}

/**
 * What was leaving when this program ended: mail goes again under its Message-ID, and what the other side knows by our id; of the rest nobody knows
 * whether it arrived, and it goes again when somebody says so. Called before anything leaves. Returns how many.
 */
export function recoverMessages(
  db: Db,
  by: Actor,
  { now }: { now: Seconds },
): { again: number; perhaps: number } {
  permit(by, "recoverMessages");
  return write(db, (tx) => {
    const again = tx.$client
      .query<unknown, [Seconds]>(
        `UPDATE messages SET state = 'waiting', next_at = ?, reason = 'the program ended while it was sent'
         WHERE state = 'sending' AND channel_id IN (SELECT id FROM channels WHERE kind = 'smtp' OR passes_id = 1)`,
      )
      .run(now).changes;
    const perhaps = tx.$client
      .query<unknown, [Seconds, string]>(
        "UPDATE messages SET state = 'perhaps', ended_at = ?, reason = ? WHERE state = 'sending'",
      )
      .run(
        now,
        `the program ended while it was sent, at ${formatTime(now)}; nobody knows whether it arrived`,
      ).changes;
    return { again, perhaps };
  });
}
