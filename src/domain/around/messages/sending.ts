import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { messages } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Holder, pushTargets, listServices } from "../../people/push/devices.ts";
import { vapidKeys } from "../../people/push/vapid.ts";
import { isByHand, openWords } from "./by-hand.ts";
import { type AddressKind, isAddress, noAddress } from "./channel-fields.ts";
import type { Outbound, PushPart } from "./http-message.ts";
import { deadline, lateWords } from "./planned.ts";
import { afterQuiet } from "./quiet.ts";
import { rendered, renderedFor } from "./render.ts";
import { overtaken } from "./still-due.ts";
import type { Calls } from "./values.ts";

export interface Leaving extends Outbound {
  readonly messageId: number;
  readonly ispId: number;
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
  wordsSealed: Uint8Array | null;
  kind: AddressKind;
  isSms: number;
  quietFrom: number | null;
  quietTo: number | null;
  lateBy: number | null;
  isRuleOn: number | null;
}

/** Seconds that a manual message waits. */
const HAND_LATE_BY = 3 * 86_400;

const select = `SELECT m.id, m.uid, m.isp_id AS ispId, m.rule_id AS ruleId, m.event_id AS eventId, m.channel_id AS channelId,
    m.subscriber_id AS subscriberId, m.staff_id AS staffId, m.about_id AS aboutId, m.period, m.attempts, m.due_at AS dueAt,
    m.template, m.address, m.language, m.subject, m.body_sealed AS bodySealed,
    m.words_sealed AS wordsSealed, c.address AS kind, c.is_sms AS isSms,
    r.quiet_from AS quietFrom, r.quiet_to AS quietTo, r.late_by AS lateBy, r.is_enabled AS isRuleOn
  FROM messages m JOIN channels c ON c.id = m.channel_id LEFT JOIN message_rules r ON r.id = m.rule_id`;

export interface AsItIs {
  /** null: none; empty: a channel to one place. */
  readonly to: string | null;
  readonly words: { readonly language: string; readonly subject: string; readonly body: string } | undefined;
  /** undefined: still due. */
  readonly overtaken: Phrase | undefined;
}

/** The message as if it were sent now. */
export function asItIs(
  db: Db,
  { id, brand }: { id: number; brand?: Calls | undefined },
  now: Seconds,
): AsItIs | undefined {
  const row = db.$client.query<Row, [number]>(`${select} WHERE m.id = ?`).get(id);
  if (!row) return undefined;
  const to = row.address ?? findAddress(db, row);
  return { to, words: fillWords(db, row, now, brand), overtaken: overtaken(db, row) };
}

/** Messages of a transaction. */
const PUT_ASIDE = 100;

/** Channels to send on, failing ones when due for a retry. */
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

/** Marks it as sending with address and words; skips superseded ones with why. undefined: none. */
export function takeNext(
  db: Db,
  by: Actor,
  { channelId }: { channelId: number },
  { now }: { now: Seconds },
): Leaving | undefined {
  permit(by, "takeNext");
  const next = db.$client.query<Row, [number, Seconds]>(
    `${select} WHERE m.channel_id = ? AND m.state = 'waiting' AND m.next_at <= ? ORDER BY m.next_at, m.id LIMIT 1`,
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

function prepare(tx: Tx, row: Row, now: Seconds): Leaving | undefined {
  const { id, quietFrom, quietTo, lateBy, dueAt } = row;
  const quiet = { quietFrom, quietTo };
  const loudAt = afterQuiet(quiet, now);
  if (loudAt > now) {
    update(tx, messages, { nextAt: loudAt }, { id });
    return undefined;
  }
  const skip = (reason: Phrase) => {
    update(tx, messages, { state: "skipped", endedAt: now, reason: reason.toString() }, { id });
    return undefined;
  };
  if (row.isRuleOn === 0) return skip(phrase`its rule was switched off`);
  if (isByHand(row.period) && now > dueAt + HAND_LATE_BY)
    return skip(phrase`it was to leave at ${formatTime(dueAt)}, and could not for three days`);
  if (lateBy !== null && now > deadline({ ...quiet, lateBy }, dueAt)) return skip(lateWords(dueAt));
  const why = overtaken(tx, row);
  if (why !== undefined) return skip(why);
  const to = row.address ?? findAddress(tx, row);
  if (to === null || !isAddress(row.kind, to)) return skip(noAddress(row.kind));
  const words = fillWords(tx, row, now);
  if (!words)
    return skip(
      row.wordsSealed === null
        ? phrase`there is no text ${row.template} any more`
        : phrase`its words were damaged in the store; write it again`,
    );
  const { language, subject, body } = words;
  update(
    tx,
    messages,
    {
      state: "sending",
      attempts: row.attempts + 1,
      address: to,
      language,
      subject,
      ...(row.bodySealed === null && { bodySealed: tx.vault.seal(body) }),
    },
    { id },
  );
  return {
    messageId: id,
    ispId: row.ispId,
    channelId: row.channelId,
    attempts: row.attempts + 1,
    id: row.uid,
    to,
    subject,
    body,
    language,
    username: findUsername(tx, row.subscriberId ?? row.aboutId),
    ...(row.kind === "device" && { push: readPushPart(tx, row) }),
  };
}

/** What a notification to somebody needs. */
export function readPushPart(db: Db, holder: Holder): PushPart {
  return {
    targets: pushTargets(db, holder),
    keys: vapidKeys(db),
    opens: holder.staffId === null ? "/portal" : "/console",
  };
}

function findAddress(db: Db, { kind, subscriberId, staffId }: Row): string | null {
  if (kind === "none") return "";
  if (kind === "device") return listServices(db, { subscriberId, staffId });
  const columns = subscriberId === null ? "email, phone AS mobile" : "email, mobile_number AS mobile";
  const table = subscriberId === null ? "staff" : "subscribers";
  const row = db.$client
    .query<{ email: string | null; mobile: string | null }, [number]>(
      `SELECT ${columns} FROM ${table} WHERE id = ?`,
    )
    .get(subscriberId ?? staffId ?? 0);
  return row?.[kind] ?? null;
}

function fillWords(
  db: Db,
  row: Row,
  now: Seconds,
  brand?: Calls,
): { language: string; subject: string; body: string } | undefined {
  const { bodySealed, wordsSealed, language, subject, ispId, subscriberId, aboutId, template } = row;
  if (bodySealed !== null && language !== null)
    return { language, subject: subject ?? "", body: db.vault.openText(bodySealed) };
  if (wordsSealed !== null) {
    const own = openWords(db, wordsSealed);
    return own && renderedFor(db, { template: "", own }, { ispId, subscriberId, brand }, now);
  }
  const event =
    row.eventId === null
      ? null
      : db.$client.query<{ data: string }, [number]>("SELECT data FROM events WHERE id = ?").get(row.eventId);
  const invoiceId = Number(/^invoice (\d+) /.exec(row.period)?.[1] ?? 0) || null;
  const data: unknown = event ? JSON.parse(event.data) : undefined;
  const about = { ispId, subscriberId: subscriberId ?? aboutId, data, invoiceId, brand };
  return rendered(db, { template, about, reader: { subscriberId } }, now);
}

function findUsername({ $client }: Tx, subscriberId: number | null): string {
  if (subscriberId === null) return "";
  const row = $client
    .query<{ username: string }, [number]>("SELECT username FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.username ?? "";
}
