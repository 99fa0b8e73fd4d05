import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import { type Db, write } from "../../../../db/open.ts";
import { messages, type messageStates } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { openWords } from "./by-hand.ts";
import { listIspIds } from "./isps.ts";
import { tryNow } from "./try-now.ts";

export type MessageState = (typeof messageStates)[number];

export interface Message {
  readonly id: number;
  readonly uid: string;
  readonly ispId: number;
  readonly ruleId: number | null;
  readonly rule: string | null;
  readonly channelId: number;
  readonly channel: string;
  readonly subscriberId: number | null;
  readonly staffId: number | null;
  readonly aboutId: number | null;
  readonly name: string | null;
  readonly username: string | null;
  readonly state: MessageState;
  readonly attempts: number;
  readonly dueAt: Seconds;
  readonly nextAt: Seconds;
  readonly createdAt: Seconds;
  readonly endedAt: Seconds | null;
  readonly template: string;
  readonly address: string | null;
  readonly language: string | null;
  readonly subject: string | null;
  readonly reason: string | null;
  /** The account of staff who wrote it by hand, and its name. */
  readonly writtenBy: number | null;
  readonly writer: string | null;
}

const select = `SELECT m.id, m.uid, m.isp_id AS ispId, m.rule_id AS ruleId, r.name AS rule, m.channel_id AS channelId, c.name AS channel,
    m.subscriber_id AS subscriberId, m.staff_id AS staffId, m.about_id AS aboutId, ifnull(s.name, a.name) AS name,
    ifnull(s.username, b.username) AS username, m.state, m.attempts, m.due_at AS dueAt, m.next_at AS nextAt,
    m.created_at AS createdAt, m.ended_at AS endedAt, m.template, m.address, m.language, m.subject, m.reason,
    m.written_by AS writtenBy, w.name AS writer
  FROM messages m CROSS JOIN channels c ON c.id = m.channel_id LEFT JOIN message_rules r ON r.id = m.rule_id
    LEFT JOIN subscribers s ON s.id = m.subscriber_id LEFT JOIN staff a ON a.id = m.staff_id
    LEFT JOIN subscribers b ON b.id = m.about_id LEFT JOIN staff w ON w.id = m.written_by`;

export interface MessageFilters {
  readonly state?: MessageState | null | undefined;
  readonly channelId?: number | null | undefined;
  readonly ruleId?: number | null | undefined;
  readonly subscriberId?: number | null | undefined;
}

/** Messages, the newest first. */
export function listMessages(
  db: Db,
  by: Actor,
  { state, channelId, ruleId, subscriberId }: MessageFilters,
  { before, limit }: { before: number; limit: number },
): Message[] {
  permit(by, "listMessages");
  requireWholeIsp(by, "messages");
  const way = wayTo({ state, channelId, ruleId, subscriberId });
  const { text, values } = all(
    { text: "m.id < ?", values: [before] },
    equal(way === "state" ? "m.state" : "+m.state", state),
    equal(way === "channel" ? "m.channel_id" : "+m.channel_id", channelId),
    equal(way === "rule" ? "m.rule_id" : "+m.rule_id", ruleId),
    equal(way === "subscriber" ? "m.subscriber_id" : "+m.subscriber_id", subscriberId),
  );
  const newest = (ofIsp: Condition | undefined) => {
    const where = all(ofIsp, { text, values });
    return db.$client
      .query<Message, Value[]>(`${select} WHERE ${where.text} ORDER BY m.id DESC LIMIT ? + 0`)
      .all(...where.values, limit);
  };
  if (way !== "state" && way !== "isp") return newest(equal("+m.isp_id", by.scope.ispId));
  const found = listIspIds(db, by.scope).map((ispId) => newest(equal("m.isp_id", ispId)));
  const [only = []] = found;
  if (found.length === 1) return only;
  return found
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, limit);
}

/** The fastest index; a + disables others, for lack of statistics. Most messages are sent or skipped. */
function wayTo({
  state,
  channelId,
  ruleId,
  subscriberId,
}: MessageFilters): "subscriber" | "state" | "rule" | "channel" | "isp" {
  if (subscriberId) return "subscriber";
  if (state && state !== "sent" && state !== "skipped") return "state";
  if (ruleId) return "rule";
  if (channelId) return "channel";
  return state ? "state" : "isp";
}

/** A message as it was sent or, where it has not been, as it was typed. Throws `not_found`. */
export function messageById(
  db: Db,
  by: Actor,
  { id, opens = true }: { id: number; opens?: boolean },
): { message: Message; body: string | null } {
  permit(by, "messageById");
  requireWholeIsp(by, "messages");
  const message = find(db, by.scope, id);
  const row = db.$client
    .query<{ sealed: Uint8Array | null; words: Uint8Array | null }, [number]>(
      "SELECT body_sealed AS sealed, words_sealed AS words FROM messages WHERE id = ?",
    )
    .get(id);
  if (!opens) return { message, body: null };
  if (row?.sealed) return { message, body: db.vault.openTextIfWhole(row.sealed) ?? null };
  return { message, body: row?.words ? (openWords(db, row.words)?.body ?? null) : null };
}

/** States in which nothing is sent any more; of `perhaps` only a person decides. */
const ended: ReadonlySet<MessageState> = new Set(["failed", "perhaps", "skipped", "cancelled"]);

/** Sends the same words again, at once, even on a failing channel. Superseded ones are skipped. Throws `not_found`, `refused`. */
export function sendAgain(db: Db, by: Actor, { id }: { id: number }, { now }: { now: Seconds }): Message {
  permit(by, "sendAgain");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const { state, ispId, channelId } = find(tx, by.scope, id);
    if (state === "sent")
      throw new DomainError("refused", phrase`it was sent; nobody is told twice`, { code: "already_sent" });
    if (state === "sending")
      throw new DomainError("refused", phrase`it is leaving; wait for what comes of it`, {
        code: "under_way",
      });
    const off = tx.$client.query("SELECT 1 FROM channels WHERE id = ? AND disabled_at IS NOT NULL");
    if (off.get(channelId))
      throw new DomainError("refused", phrase`its channel is off; switch it on first`, {
        code: "channel_off",
      });
    const again = { dueAt: now, nextAt: now };
    update(
      tx,
      messages,
      ended.has(state)
        ? { ...again, state: "waiting", attempts: 0, endedAt: null, reason: null, address: null }
        : again,
      { id },
    );
    tryNow(tx, [id], now);
    audit(tx, by, now, entry({ id, ispId }, "again", state));
    return find(tx, by.scope, id);
  });
}

/** Throws `not_found`, `refused` unless waiting. */
export function cancelMessage(db: Db, by: Actor, { id }: { id: number }, { now }: { now: Seconds }): Message {
  permit(by, "cancelMessage");
  requireWholeIsp(by, "messages");
  return write(db, (tx) => {
    const { state, ispId } = find(tx, by.scope, id);
    if (state !== "waiting")
      throw new DomainError("refused", phrase`it does not wait any more`, { code: "already_settled" });
    update(tx, messages, { state: "cancelled", endedAt: now, reason: `${by.name} cancelled it` }, { id });
    audit(tx, by, now, entry({ id, ispId }, "cancel", state));
    return find(tx, by.scope, id);
  });
}

function find({ $client }: Pick<Db, "$client">, { ispId }: Scope, id: number): Message {
  const { text, values } = all(equal("m.id", id), equal("m.isp_id", ispId));
  return known(
    $client.query<Message, Value[]>(`${select} WHERE ${text}`).get(...values),
    phrase`there is no message ${id}`,
  );
}

function entry({ id, ispId }: { id: number; ispId: number }, what: string, state: MessageState) {
  return { action: `message.${what}`, entity: "message", entityId: id, ispId, before: { state } };
}
