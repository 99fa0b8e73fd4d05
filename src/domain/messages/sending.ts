import { type Db, type Tx, write } from "../../../db/open.ts";
import { channels, messages } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { formatTime, type Seconds } from "../time.ts";
import { isAddress } from "./channel-fields.ts";
import type { Outbound } from "./http-message.ts";
import { deadline, lateWords } from "./planned.ts";
import { afterQuiet } from "./quiet.ts";
import { rendered } from "./render.ts";
import { overtaken } from "./still-due.ts";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds after each attempt that failed until the next; after the last the message has failed. */
export const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR] as const;
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

/** A message that is marked as leaving. */
export interface Leaving extends Outbound {
  readonly messageId: number;
  readonly channelId: number;
  readonly attempts: number;
}

interface Row {
  id: number;
  uid: string;
  ispId: number;
  ruleId: number | null;
  eventId: number | null;
  channelId: number;
  subscriberId: number | null;
  staffId: number | null;
  aboutId: number | null;
  period: string;
  attempts: number;
  dueAt: Seconds;
  template: string;
  address: string | null;
  language: string | null;
  subject: string | null;
  bodySealed: Uint8Array | null;
  kind: "email" | "mobile" | "none";
  isSms: number;
  quietFrom: number | null;
  quietTo: number | null;
  lateBy: number | null;
  isRuleOn: number | null;
}

/** Messages that one transaction puts aside before another one gets its turn. */
const PUT_ASIDE = 100;

/** The channels that have something to send now and may. One that is down is tried again when its time comes. */
export function channelsDue(
  { $client }: Pick<Db, "$client">,
  now: Seconds,
): { id: number; perMinute: number; isDown: boolean }[] {
  return $client
    .query<{ id: number; perMinute: number; downSince: number | null }, [Seconds]>(
      `SELECT c.id, c.per_minute AS perMinute, c.down_since AS downSince FROM channels c
       WHERE c.disabled_at IS NULL AND (c.try_at IS NULL OR c.try_at <= ?1)
         AND EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = c.id AND m.state = 'waiting' AND m.next_at <= ?1)
       ORDER BY c.id`,
    )
    .all(now)
    .map(({ id, perMinute, downSince }) => ({ id, perMinute, isDown: downSince !== null }));
}

/**
 * The next message of a channel, marked as leaving with its address and its words, before it leaves. What is not to be sent any more is put aside
 * on the way, and says why. undefined: there is none now.
 */
export function takeNext(
  db: Db,
  by: Actor,
  { channelId }: { channelId: number },
  { now }: { now: Seconds },
): Leaving | undefined {
  permit(by, "takeNext");
  const next = db.$client.query<Row, [number, Seconds]>(
    `SELECT m.id, m.uid, m.isp_id AS ispId, m.rule_id AS ruleId, m.event_id AS eventId, m.channel_id AS channelId,
       m.subscriber_id AS subscriberId, m.staff_id AS staffId, m.about_id AS aboutId, m.period, m.attempts, m.due_at AS dueAt,
       m.template, m.address, m.language, m.subject, m.body_sealed AS bodySealed, c.address AS kind, c.is_sms AS isSms,
       r.quiet_from AS quietFrom, r.quiet_to AS quietTo, r.late_by AS lateBy, r.is_enabled AS isRuleOn
     FROM messages m JOIN channels c ON c.id = m.channel_id LEFT JOIN message_rules r ON r.id = m.rule_id
     WHERE m.channel_id = ? AND m.state = 'waiting' AND m.next_at <= ? ORDER BY m.next_at, m.id LIMIT 1`,
  );
  if (next.get(channelId, now) === null) return undefined;
  return write(db, (tx) => {
    for (let aside = 0; aside < PUT_ASIDE; aside++) {
      const row = next.get(channelId, now);
      if (!row) return undefined;
      const leaving = prepare(tx, row, now);
      if (leaving) return leaving;
    }
    return undefined;
  });
}

/** Marks it as leaving, or puts it aside: for later, or for good. */
function prepare(tx: Tx, row: Row, now: Seconds): Leaving | undefined {
  const { id, quietFrom, quietTo, lateBy, dueAt } = row;
  const quiet = { quietFrom, quietTo };
  const loudAt = afterQuiet(quiet, now);
  if (loudAt > now) {
    update(tx, messages, { nextAt: loudAt }, { id });
    return undefined;
  }
  const skip = (reason: string) => {
    update(tx, messages, { state: "skipped", endedAt: now, reason }, { id });
    return undefined;
  };
  if (row.isRuleOn === 0) return skip("its rule was switched off");
  if (lateBy !== null && now > deadline({ ...quiet, lateBy }, dueAt)) return skip(lateWords(dueAt));
  const why = overtaken(tx, row);
  if (why !== undefined) return skip(why);
  const to = row.address ?? addressOf(tx, row);
  if (to === null || !isAddress(row.kind, to))
    return skip(
      row.kind === "email"
        ? "there is no e-mail address to send it to"
        : "there is no mobile number to send it to",
    );
  const words = wordsOf(tx, row, now);
  if (!words) return skip(`there is no text ${row.template} any more`);
  const { language, subject, body } = words;
  update(
    tx,
    messages,
    {
      ...{ state: "sending", attempts: row.attempts + 1, address: to, language, subject },
      ...(row.bodySealed === null && { bodySealed: tx.vault.seal(body) }),
    },
    { id },
  );
  return {
    ...{ messageId: id, channelId: row.channelId, attempts: row.attempts + 1, id: row.uid },
    ...{ to, subject, body, language, username: usernameOf(tx, row.subscriberId ?? row.aboutId) },
  };
}

function addressOf({ $client }: Tx, { kind, subscriberId, staffId }: Row): string | null {
  if (kind === "none") return "";
  const columns = subscriberId === null ? "email, phone AS mobile" : "email, mobile_number AS mobile";
  const table = subscriberId === null ? "staff" : "subscribers";
  const row = $client
    .query<{ email: string | null; mobile: string | null }, [number]>(
      `SELECT ${columns} FROM ${table} WHERE id = ?`,
    )
    .get(subscriberId ?? staffId ?? 0);
  return row?.[kind] ?? null;
}

/** As it was written at the first attempt: whoever gets it twice gets the same. */
function wordsOf(
  tx: Tx,
  row: Row,
  now: Seconds,
): { language: string; subject: string; body: string } | undefined {
  const { bodySealed, language, subject, ispId, subscriberId, aboutId, template } = row;
  if (bodySealed !== null && language !== null)
    return { language, subject: subject ?? "", body: tx.vault.openText(bodySealed) };
  const event =
    row.eventId === null
      ? null
      : tx.$client.query<{ data: string }, [number]>("SELECT data FROM events WHERE id = ?").get(row.eventId);
  const invoiceId = Number(/^invoice (\d+) /.exec(row.period)?.[1] ?? 0) || null;
  const data: unknown = event ? JSON.parse(event.data) : undefined;
  const about = { ispId, subscriberId: subscriberId ?? aboutId, data, invoiceId };
  return rendered(tx, { template, about, reader: { subscriberId } }, now);
}

function usernameOf({ $client }: Tx, subscriberId: number | null): string {
  if (subscriberId === null) return "";
  const row = $client
    .query<{ username: string }, [number]>("SELECT username FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.username ?? "";
}

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
