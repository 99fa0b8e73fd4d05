import { columnsOf } from "../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { cardBatches } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import type { Actor, Scope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { cardOfNumber } from "./codes.ts";
import { batchesSeen } from "./reach.ts";
import type { Card, CardBatch, CardStanding } from "./standing.ts";

/** How many cards of a batch are worth what now. */
export type StandingCounts = Readonly<Record<CardStanding, number>>;

/** A batch with the names that its reader needs, and how its cards stand. */
export type BatchRecord = CardBatch & {
  /** null: a refill has none. */
  readonly packageName: string | null;
  readonly resellerName: string | null;
  /** null: nobody of the staff made it. */
  readonly makerName: string | null;
  readonly counts: StandingCounts;
};

export const batchSorts = ["created_at", "id", "price", "quantity", "sell_by"] as const;

export interface BatchChoice {
  /** The number of a batch or of one of its cards, as on paper or not; a part of its note, its prefix or its package's name. */
  readonly search?: string | null | undefined;
  readonly kind?: CardBatch["kind"] | null | undefined;
  readonly packageId?: number | null | undefined;
  /** 0: those that the ISP itself holds. */
  readonly resellerId?: number | null | undefined;
  /** Those with cards that can still be sold or used. */
  readonly isOpen?: boolean | undefined;
  readonly branchId?: number | null | undefined;
  readonly sort?: (typeof batchSorts)[number];
  readonly descending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

const from = `FROM card_batches b LEFT JOIN packages p ON p.id = b.package_id`;
const select = `SELECT ${columnsOf(cardBatches, "b")}, p.name AS packageName,
  (SELECT name FROM staff WHERE id = b.reseller_id) AS resellerName, (SELECT name FROM staff WHERE id = b.created_by) AS makerName ${from}`;

/** Those in the actor's scope that match, by default the newest first, and how many match in all. */
export function listCardBatches(
  db: Db,
  by: Actor,
  choice: BatchChoice,
  { now }: { now: Seconds },
): { records: BatchRecord[]; total: number } {
  permit(by, "listCardBatches");
  const { sort = "created_at", descending = choice.sort === undefined, limit, offset } = choice;
  const { text, values } = all(batchesSeen(by.scope), matching(choice, now));
  const direction = descending ? "DESC" : "ASC";
  const first = sort === "id" ? "" : `b.${sort} ${direction}, `;
  const rows = db.$client
    .query<Omit<BatchRecord, "counts">, Value[]>(
      `${select} WHERE ${text} ORDER BY ${first}b.id ${direction} LIMIT ? + 0 OFFSET ?`,
    )
    .all(...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total ${from} WHERE ${text}`)
    .get(...values);
  return { records: rows.map((row) => withCounts(db, row, now)), total: counted?.total ?? 0 };
}

/** Throws `not_found` outside the actor's scope. */
export function cardBatchById(db: Db, by: Actor, id: number, { now }: { now: Seconds }): BatchRecord {
  permit(by, "cardBatchById");
  return findBatch(db, by.scope, id, now);
}

/** The batch of an id within a scope. Throws `not_found`. */
export function findBatch(db: Db, scope: Scope, id: number, now: Seconds): BatchRecord {
  const { text, values } = all(equal("b.id", id), batchesSeen(scope));
  const found = db.$client
    .query<Omit<BatchRecord, "counts">, Value[]>(`${select} WHERE ${text}`)
    .get(...values);
  if (!found) throw new DomainError("not_found", `there is no batch ${id}`);
  return withCounts(db, found, now);
}

function matching(
  { search, kind, packageId, resellerId, branchId, isOpen }: BatchChoice,
  now: Seconds,
): Condition {
  return all(
    search ? searched(search.trim()) : undefined,
    equal("b.kind", kind),
    equal("b.package_id", packageId),
    resellerId === 0
      ? { text: "b.reseller_id IS NULL", values: [] }
      : equal("b.reseller_id", resellerId || undefined),
    isOpen ? { text: hasCardsLeft, values: [now, now, now] } : undefined,
    equal("b.branch_id", branchId),
  );
}

const hasCardsLeft = `(((b.sell_by IS NULL OR b.sell_by > ?) AND EXISTS (SELECT 1 FROM cards WHERE batch_id = b.id AND state = 'new'))
  OR ((b.use_by IS NULL OR b.use_by > ?) AND EXISTS (SELECT 1 FROM cards WHERE batch_id = b.id AND state = 'sold'))
  OR EXISTS (SELECT 1 FROM cards WHERE batch_id = b.id AND state = 'active' AND used_up_at IS NULL AND (ends_at IS NULL OR ends_at > ?)))`;

function searched(typed: string): Condition {
  const card = cardOfNumber(typed);
  if (card !== undefined) return { text: "b.id = (SELECT batch_id FROM cards WHERE id = ?)", values: [card] };
  const [, batch] = /^(\d{1,15})(?:-\d{1,5})?$/.exec(typed) ?? [];
  const part = `%${typed.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    text: String.raw`(b.id = ? OR b.note LIKE ? ESCAPE '\' OR b.prefix LIKE ? ESCAPE '\' OR p.name LIKE ? ESCAPE '\')`,
    values: [batch === undefined ? 0 : Number(batch), part, part, part],
  };
}

/** From the index of states, which has all that is asked: ten thousand cards of a batch are not read for it. */
const countStates = `SELECT state, count(*) AS cards, coalesce(sum(ends_at <= ?1), 0) AS over,
    coalesce(sum(used_up_at IS NOT NULL AND (ends_at IS NULL OR ends_at > ?1)), 0) AS usedUp
  FROM cards INDEXED BY cards_state WHERE batch_id = ?2 GROUP BY state`;

interface Counted {
  readonly state: Card["state"];
  readonly cards: number;
  readonly over: number;
  readonly usedUp: number;
}

type Uncounted = Omit<BatchRecord, "counts">;

function withCounts({ $client }: Db, batch: Uncounted, now: Seconds): BatchRecord {
  const { id, sellBy, useBy } = batch;
  const stored = { new: 0, sold: 0, active: 0, void: 0 };
  let [expired, usedUp] = [0, 0];
  for (const counted of $client.query<Counted, [Seconds, number]>(countStates).all(now, id)) {
    stored[counted.state] = counted.cards;
    if (counted.state === "active") [expired, usedUp] = [counted.over, counted.usedUp];
  }
  const unsold = sellBy !== null && sellBy <= now ? stored.new : 0;
  const unused = useBy !== null && useBy <= now ? stored.sold : 0;
  const counts = {
    new: stored.new - unsold,
    sold: stored.sold - unused,
    active: stored.active - expired - usedUp,
    used_up: usedUp,
    expired: expired + unsold + unused,
    void: stored.void,
  };
  return { ...batch, counts };
}
