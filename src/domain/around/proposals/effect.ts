import type { Db, Tx } from "../../../../db/open.ts";
import type { AuditEntry } from "../../core/audit/audit-log.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { parseTime, type Seconds } from "../../core/time/time.ts";
import { tryOut } from "../../core/once/try-out.ts";

/** What a wallet has before and after, in minor units. */
export interface MovedWallet {
  readonly subscriberId: number | null;
  readonly staffId: number | null;
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** What would stand in the audit log and in the wallets. */
export interface Effect {
  readonly entries: readonly AuditEntry[];
  readonly money: readonly MovedWallet[];
}

/** What work would change: it is done, looked at and undone. Throws what it refuses. */
export function tryEffect(db: Db, work: (tx: Tx) => void): Effect {
  const outcome = tryOut(db, (tx) => withEffect(tx, () => work(tx)).effect);
  if (outcome instanceof DomainError) throw outcome;
  return outcome;
}

/** Does work, and says what it changed. */
export function withEffect<T>(tx: Tx, work: () => T): { done: T; effect: Effect } {
  const since = newest(tx);
  const done = work();
  return { done, effect: effectSince(tx, since) };
}

interface Newest {
  readonly entry: number;
  readonly posting: number;
}

function newest({ $client }: Tx): Newest {
  const found = $client.query<Newest, []>(
    `SELECT coalesce((SELECT max(id) FROM audit_entries), 0) AS entry,
       coalesce((SELECT max(id) FROM ledger_entries), 0) AS posting`,
  );
  return found.get() ?? { entry: 0, posting: 0 };
}

function effectSince({ $client }: Tx, { entry, posting }: Newest): Effect {
  const entries = $client.query<AuditEntry, [number]>(
    `SELECT id, at, isp_id AS ispId, staff_id AS staffId, actor, source, action, entity, entity_id AS entityId, before, after
     FROM audit_entries WHERE id > ? ORDER BY id`,
  );
  const money = $client.query<MovedWallet, [number]>(
    `SELECT l.subscriber_id AS subscriberId, l.staff_id AS staffId, coalesce(s.name, a.name) AS name,
       f.balance_after - f.amount AS before, l.balance_after AS after
     FROM (SELECT min(id) AS first, max(id) AS last FROM ledger_entries NOT INDEXED WHERE id > ? GROUP BY subscriber_id, staff_id)
     JOIN ledger_entries f ON f.id = first JOIN ledger_entries l ON l.id = last
     LEFT JOIN subscribers s ON s.id = l.subscriber_id LEFT JOIN staff a ON a.id = l.staff_id ORDER BY first`,
  );
  return { entries: entries.all(entry), money: money.all(posting) };
}

/** What must not be another thing when it is done than when it was looked at: wallets, what each change begins from, and what it leads to. */
export function hashFigures({ entries, money }: Effect): string {
  const changes = entries.map(({ action, entity, entityId, at, before, after }) => [
    action,
    entity,
    before === null ? null : [entity === POSTING ? null : entityId, before],
    after === null ? null : lasting(JSON.parse(after), { at, isNew: before === null }),
  ]);
  return Bun.SHA256.hash(JSON.stringify([changes, money]), "base64url") as string;
}

/** The entity of a wallet's posting, whose id is new each time. */
const POSTING = "entry";
const DAY = 86_400;

/** The part of an effect that is the same minutes later: no id or number that is given meanwhile, and times by how many days they are off. */
function lasting(after: unknown, { at, isNew }: { at: Seconds; isNew: boolean }): unknown {
  if (typeof after !== "object" || after === null) return after;
  return Object.entries(after).flatMap(([name, value]: [string, unknown]) => {
    if (isNew && (name === "id" || name === "number")) return [];
    const moment = momentIn(name, value);
    return [[name, moment === undefined ? value : Math.round((moment - at) / DAY)]];
  });
}

function momentIn(name: string, value: unknown): Seconds | undefined {
  if (typeof value === "string") return parseTime(value);
  return typeof value === "number" && name.endsWith("_at") ? value : undefined;
}
