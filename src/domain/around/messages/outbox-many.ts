import { all, equal, type Value } from "../../../../db/condition.ts";
import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { id, time } from "../../core/fields/fields.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { listIspIds } from "./isps.ts";
import { MOST_COUNTED } from "./outbox-state.ts";
import { tryNow } from "./try-now.ts";

/** Messages of a transaction and call. */
const PIECE = 200;
export const MOST_AT_ONCE = MOST_COUNTED;
const DAY = 86_400;

export const manyForm = { channel_id: id, rule_id: id, ended_after: time };

export interface ManyChoice {
  readonly channelId?: number | null | undefined;
  readonly ruleId?: number | null | undefined;
  /** Default: a day. */
  readonly endedAfter?: Seconds | null | undefined;
}

export interface Many {
  readonly count: number;
  readonly isMore: boolean;
}

interface At {
  readonly now: Seconds;
}

/** Throws `invalid`, `not_found`. */
export function countMany(
  db: Db,
  by: Actor,
  choice: ManyChoice & { readonly state: "failed" | "waiting" },
  { now }: At,
): Many {
  permit(by, "countMany");
  requireWholeIsp(by, "messages");
  requireThere(db, by.scope, choice);
  const { text, values } = buildCondition(choice, choice.state, now);
  const count = db.$client.query<{ count: number }, Value[]>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${from} WHERE ${text} LIMIT ${MOST_AT_ONCE + 1})`,
  );
  const total = listIspIds(db, by.scope).reduce(
    (sum, ispId) => sum + (count.get(ispId, 0, ...values)?.count ?? 0),
    0,
  );
  return { count: Math.min(total, MOST_AT_ONCE), isMore: total > MOST_AT_ONCE };
}

/**
 * Recent failures again with their words, in pieces; superseded ones are skipped. Throws `invalid`, `not_found`, `refused` for
 * a disabled channel.
 */
export async function sendManyAgain(db: Db, by: Actor, choice: ManyChoice, { now }: At): Promise<Many> {
  permit(by, "sendManyAgain");
  requireWholeIsp(by, "messages");
  requireThere(db, by.scope, choice);
  if (choice.channelId && isOff(db, choice.channelId))
    throw new DomainError("refused", phrase`its channel is off; switch it on first`, { code: "channel_off" });
  return inPieces(db, by, { choice, state: "failed", action: "again_many", now }, (tx, ids) => {
    tx.$client
      .query<unknown, [Seconds, Seconds, string]>(
        `UPDATE messages SET state = 'waiting', attempts = 0, due_at = ?, next_at = ?, ended_at = NULL, reason = NULL, address = NULL
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .run(now, now, JSON.stringify(ids));
    tryNow(tx, ids, now);
  });
}

/** Cancels messages in pieces. Throws `invalid`, `not_found`. */
export async function cancelMany(
  db: Db,
  by: Actor,
  choice: Omit<ManyChoice, "endedAfter">,
  { now }: At,
): Promise<Many> {
  permit(by, "cancelMany");
  requireWholeIsp(by, "messages");
  requireThere(db, by.scope, choice);
  return inPieces(db, by, { choice, state: "waiting", action: "cancel_many", now }, (tx, ids) => {
    tx.$client
      .query<unknown, [Seconds, string, string]>(
        "UPDATE messages SET state = 'cancelled', ended_at = ?, reason = ? WHERE id IN (SELECT value FROM json_each(?))",
      )
      .run(now, `${by.name} cancelled it`, JSON.stringify(ids));
  });
}

const from = "messages m INDEXED BY messages_state JOIN channels c ON c.id = m.channel_id";

function buildCondition(
  { channelId, ruleId, endedAfter }: ManyChoice,
  state: "failed" | "waiting",
  now: Seconds,
) {
  const ofState =
    state === "waiting"
      ? { text: "m.state = 'waiting'", values: [] }
      : {
          text: "m.state = 'failed' AND c.disabled_at IS NULL AND m.ended_at >= ?",
          values: [endedAfter ?? now - DAY],
        };
  return all(
    { text: "m.isp_id = ? AND m.id > ?", values: [] },
    ofState,
    equal("m.channel_id", channelId),
    equal("m.rule_id", ruleId),
  );
}

interface Work {
  readonly choice: ManyChoice;
  readonly state: "failed" | "waiting";
  readonly action: "again_many" | "cancel_many";
  readonly now: Seconds;
}

async function inPieces(
  db: Db,
  by: Actor,
  { choice, state, action, now }: Work,
  work: (tx: Tx, ids: readonly number[]) => void,
): Promise<Many> {
  const { text, values } = buildCondition(choice, state, now);
  let count = 0;
  for (const ispId of listIspIds(db, by.scope)) {
    for (let after = 0; ;) {
      if (count >= MOST_AT_ONCE) return { count, isMore: true };
      const ids = await writePatiently(db, (tx) => {
        const piece = tx.$client
          .query<{ id: number }, Value[]>(
            `SELECT m.id FROM ${from} WHERE ${text} ORDER BY m.id LIMIT ${PIECE}`,
          )
          .all(ispId, after, ...values)
          .map((row) => row.id);
        if (piece.length === 0) return piece;
        work(tx, piece);
        audit(tx, by, now, {
          ...entry(choice, action),
          ispId,
          after: { messages: piece.length, ...of(choice) },
        });
        return piece;
      });
      count += ids.length;
      const last = ids.at(-1);
      if (last === undefined || ids.length < PIECE) break;
      after = last;
      await Bun.sleep(0);
    }
  }
  return { count, isMore: false };
}

function entry({ channelId, ruleId }: ManyChoice, what: Work["action"]) {
  return channelId
    ? { action: `message.${what}`, entity: "channel", entityId: channelId }
    : { action: `message.${what}`, entity: "message_rule", entityId: ruleId ?? 0 };
}

const of = ({ channelId, ruleId }: ManyChoice) => (channelId && ruleId ? { rule_id: ruleId } : {});

/** A channel or rule is required, against accidents. */
function requireThere({ $client }: Pick<Db, "$client">, { ispId }: Scope, choice: ManyChoice): void {
  const { channelId, ruleId } = choice;
  if (!channelId && !ruleId) throw new DomainError("invalid", phrase`name a channel or a rule`);
  const isThere = (sql: string, one: number) => $client.query(sql).get(one, ispId) !== null;
  if (
    channelId &&
    !isThere(
      "SELECT 1 FROM channels WHERE id = ?1 AND (isp_id IS NULL OR ?2 IS NULL OR isp_id = ?2)",
      channelId,
    )
  )
    throw new DomainError("not_found", phrase`there is no channel ${channelId}`);
  if (ruleId && !isThere("SELECT 1 FROM message_rules WHERE id = ?1 AND (?2 IS NULL OR isp_id = ?2)", ruleId))
    throw new DomainError("not_found", phrase`there is no rule ${ruleId}`);
}

function isOff({ $client }: Pick<Db, "$client">, channelId: number): boolean {
  return (
    $client.query("SELECT 1 FROM channels WHERE id = ? AND disabled_at IS NOT NULL").get(channelId) !== null
  );
}
