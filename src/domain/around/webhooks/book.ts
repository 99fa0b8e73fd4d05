import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { webhookAttempts, webhookDeliveries } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Seconds } from "../../core/time/time.ts";
import { bringForward, type DueDelivery, isUnanswered } from "./due.ts";
import { disableEndpoint } from "./endpoints.ts";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds; Standard Webhooks. */
const PAUSES = [
  ...[5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
] as const;
/** Spreads retries. */
const JITTER = 0.2;
/** Seconds of pause for an overloaded endpoint. */
const SLOW = MINUTE;
/** Seconds. */
const LONGEST_WAIT = 24 * HOUR;
/** Characters of an answer, and of a fault, that are kept. */
const ANSWER_KEPT = 1000;

/** What came of an attempt: an answer, or none, for a reason. */
export interface Came {
  readonly milliseconds: number;
  readonly status?: number | undefined;
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
  /** Seconds that the receiver asks us to wait. */
  readonly retryAfter?: number | undefined;
}

export interface Tried extends Pick<DueDelivery, "id" | "endpointId" | "url"> {
  /** Before its time, to see whether somebody is there. */
  readonly isProbe?: true;
}

interface Standing {
  readonly state: string;
  readonly attempts: number;
}

/** Records an attempt and the next. 2xx delivers; 410 disables; 429, 502 and 504 pause. One between two (`isProbe`) that nobody answers is none. `random`: 0 to 1. */
export function bookAttempt(
  db: Db,
  { id, endpointId, url, isProbe }: Tried,
  came: Came,
  { now, random }: { now: Seconds; random: number },
): void {
  if (isProbe && isUnanswered(came)) return;
  write(db, (tx) => {
    const standing = tx.$client
      .query<Standing, [number]>("SELECT state, attempts FROM webhook_deliveries WHERE id = ?")
      .get(id);
    if (!standing) return; // one that was deleted meanwhile has no attempts
    insert(tx, webhookAttempts, {
      deliveryId: id,
      at: now,
      milliseconds: came.milliseconds,
      status: came.status ?? null,
      error: came.error?.slice(0, ANSWER_KEPT) ?? null,
      answer: came.answer?.slice(0, ANSWER_KEPT) ?? null,
    });
    const attempts = standing.attempts + 1;
    if (isDelivered(came)) {
      update(tx, webhookDeliveries, { state: "delivered", attempts, endedAt: now }, { id });
      if (isProbe) bringForward(tx, id, now); // what is behind it waits for when it would have been tried
    }
    // cancelled meanwhile
    else if (standing.state !== "waiting") update(tx, webhookDeliveries, { attempts }, { id });
    else fail(tx, { id, endpointId, url, attempts, came }, { now, random });
  });
}

export function isDelivered({ status }: Pick<Came, "status">): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function fail(
  tx: Tx,
  {
    id,
    endpointId,
    url,
    attempts,
    came,
  }: { id: number; endpointId: number; url: string; attempts: number; came: Came },
  { now, random }: { now: Seconds; random: number },
): void {
  const { status, retryAfter } = came;
  if (status === 410 && hasUrl(tx, endpointId, url)) {
    update(tx, webhookDeliveries, { state: "failed", attempts, endedAt: now }, { id });
    disableEndpoint(tx, { id: endpointId, reason: "it answered 410 Gone" }, now);
    return;
  }
  const wait = Math.min(retryAfter ?? 0, LONGEST_WAIT);
  if (status === 429 || status === 502 || status === 504) slow(tx, endpointId, now + Math.max(SLOW, wait));
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) {
    update(tx, webhookDeliveries, { state: "failed", attempts, endedAt: now }, { id });
    return;
  }
  const nextAt = now + Math.max(wait, Math.ceil(pause * (1 + JITTER * random)));
  update(tx, webhookDeliveries, { attempts, nextAt }, { id });
}

/** A changed URL is not judged by the old one's answer. */
function hasUrl({ $client }: Tx, endpointId: number, url: string): boolean {
  return (
    $client.query("SELECT 1 FROM webhook_endpoints WHERE id = ? AND url = ?").get(endpointId, url) !== null
  );
}

function slow({ $client }: Tx, endpointId: number, until: Seconds): void {
  $client
    .query<unknown, [Seconds, number]>(
      "UPDATE webhook_endpoints SET slow_until = max(ifnull(slow_until, 0), ?) WHERE id = ?",
    )
    .run(until, endpointId);
}
