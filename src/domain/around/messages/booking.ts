import { type Db, type Tx, write } from "../../../../db/open.ts";
import { channels, messages } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { forgetPushDevices } from "../../people/push/devices.ts";
import type { Leaving } from "./sending.ts";

const MINUTE = 60;
const HOUR = 3600;
const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR] as const;
/** Bounds in seconds of a failing channel's pause, which is as long as its failure. */
const SHORTEST_DOWN = MINUTE;
const LONGEST_DOWN = 30 * MINUTE;
/** Consecutive failures that count as the channel's. */
const IN_A_ROW = 5;

/** Result of sending: accepted, refused, failed, channel failed, or unknown. */
export type Came = (
  | { readonly kind: "sent" }
  | { readonly kind: "refused" | "failed" | "unknown"; readonly reason: string }
  | { readonly kind: "down"; readonly reason: string; readonly retryAfter?: number | undefined }
) & {
  /** Devices that take nothing any more. */
  readonly gone?: readonly number[];
};

/** Records an attempt and the next. `failures`: consecutive ones of the channel. `random`: 0 to 1. */
export function bookMessage(
  db: Db,
  by: Actor,
  { messageId: id, channelId, attempts }: Pick<Leaving, "messageId" | "channelId" | "attempts">,
  { came, failures }: { came: Came; failures: number },
  { now, random }: { now: Seconds; random: number },
): void {
  permit(by, "bookMessage");
  write(db, (tx) => {
    forgetPushDevices(tx, came.gone ?? []);
    if (came.kind === "sent") {
      update(tx, messages, { state: "sent", endedAt: now, reason: null }, { id });
      return comeUp(tx, channelId);
    }
    const { reason } = came;
    if (came.kind === "down") {
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
    // of notifications each goes to the address that its receiver has given, so that one receiver could end them for all
    if (failures >= IN_A_ROW && channel(tx, channelId)?.kind !== "push") goDown(tx, channelId, came, now);
  });
}

/** Whether the receiver detects duplicates: mail by Message-ID, a browser by the tag of a notification, others by our id. */
function goesAgain(tx: Tx, channelId: number): boolean {
  const { kind, passesId } = channel(tx, channelId) ?? {};
  return kind === "smtp" || kind === "push" || passesId === 1;
}

function channel({ $client }: Tx, id: number): { kind: string; passesId: number } | null {
  return $client
    .query<{ kind: string; passesId: number }, [number]>(
      "SELECT kind, passes_id AS passesId FROM channels WHERE id = ?",
    )
    .get(id);
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
 * At the start: messages left sending. Those with duplicate detection go again; the rest becomes `perhaps`, for a person to
 * decide. Returns how many.
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
         WHERE state = 'sending' AND channel_id IN (SELECT id FROM channels WHERE kind IN ('smtp', 'push') OR passes_id = 1)`,
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
