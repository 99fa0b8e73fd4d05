import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cardBatches } from "../../../../db/schema.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { parseCardNumber } from "../../goods/codes/codes.ts";
import { countSql, withCounts } from "./counts.ts";
import { batchesSeen, noBatch } from "./reach.ts";
import type { CardBatch, CardStanding } from "./standing.ts";

export type StandingCounts = Readonly<Record<CardStanding, number>>;

export type BatchRecord = CardBatch & {
  /** null: a refill. */
  readonly packageName: string | null;
  readonly resellerName: string | null;
  /** null: not made by staff. */
  readonly makerName: string | null;
  readonly counts: StandingCounts;
  /** Of the expired, those unsold by sell_by, and those sold but unused by use_by; the others ended in use. */
  readonly unsold: number;
  readonly unused: number;
};

export const batchSorts = ["created_at", "id", "price", "quantity", "sell_by"] as const;

export interface BatchChoice {
  /** Number of a batch or card, printed or not; part of note, prefix or package name. */
  readonly search?: string | null | undefined;
  readonly kind?: CardBatch["kind"] | null | undefined;
  readonly packageId?: number | null | undefined;
  /** 0: held by the ISP itself. */
  readonly resellerId?: number | null | undefined;
  /** With cards that can still be sold or used. */
  readonly isOpen?: boolean | undefined;
  readonly branchId?: number | null | undefined;
  readonly sort?: (typeof batchSorts)[number];
  readonly descending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

const standings = ["new", "sold", "active", "used_up", "expired", "void"] as const;
const asCounted = (standing: CardStanding) => `cards_${standing}` as const;
type Row = Omit<BatchRecord, "counts"> & Readonly<Record<ReturnType<typeof asCounted>, number>>;

const from = `FROM ${withCounts} LEFT JOIN packages p ON p.id = b.package_id`;
const counts = standings.map((standing) => `${countSql({ standing })} AS ${asCounted(standing)}`).join(", ");
const select = `SELECT ${selectColumns(cardBatches, "b")}, p.name AS packageName,
  (SELECT name FROM staff WHERE id = b.reseller_id) AS resellerName, (SELECT name FROM staff WHERE id = b.created_by) AS makerName,
  ${counts}, ${countSql({ state: "new", standing: "expired" })} AS unsold, ${countSql({ state: "sold", standing: "expired" })} AS unused ${from}`;

/** Matching batches in scope, by default newest first, and the total. */
export function listCardBatches(
  db: Db,
  by: Actor,
  choice: BatchChoice,
  { now }: { now: Seconds },
): { records: BatchRecord[]; total: number } {
  permit(by, "listCardBatches");
  const { sort = "created_at", descending = choice.sort === undefined, limit, offset } = choice;
  const { text, values } = all(batchesSeen(by.scope), matching(choice));
  const direction = descending ? "DESC" : "ASC";
  const order = `${sort === "id" ? "" : `b.${sort} ${direction}, `}b.id ${direction}`;
  // selected before counting, so that only a page is counted
  const rows = db.$client
    .query<Row, Value[]>(
      `${select} WHERE b.id IN (SELECT b.id ${from} WHERE ?1 = ?1 AND ${text} ORDER BY ${order} LIMIT ? + 0 OFFSET ?) ORDER BY ${order}`,
    )
    .all(now, ...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total ${from} WHERE ?1 = ?1 AND ${text}`)
    .get(now, ...values);
  return { records: rows.map(toRecord), total: counted?.total ?? 0 };
}

export function cardBatchById(db: Db, by: Actor, id: number, { now }: { now: Seconds }): BatchRecord {
  permit(by, "cardBatchById");
  return findBatch(db, by.scope, id, now);
}

export function findBatch(db: Db, scope: Scope, id: number, now: Seconds): BatchRecord {
  const { text, values } = all(equal("b.id", id), batchesSeen(scope));
  const found = db.$client.query<Row, Value[]>(`${select} WHERE ?1 = ?1 AND ${text}`).get(now, ...values);
  if (!found) throw noBatch(id);
  return toRecord(found);
}

function matching({ search, kind, packageId, resellerId, branchId, isOpen }: BatchChoice): Condition {
  return all(
    search ? searched(search.trim()) : undefined,
    equal("b.kind", kind),
    equal("b.package_id", packageId),
    resellerId === 0
      ? { text: "b.reseller_id IS NULL", values: [] }
      : equal("b.reseller_id", resellerId || undefined),
    isOpen ? { text: hasCardsLeft, values: [] } : undefined,
    equal("b.branch_id", branchId),
  );
}

const hasCardsLeft = `(${(["new", "sold", "active"] as const).map((standing) => `${countSql({ standing })} > 0`).join(" OR ")})`;

function searched(text: string): Condition {
  const card = parseCardNumber(text);
  if (card !== undefined) return { text: "b.id = (SELECT batch_id FROM cards WHERE id = ?)", values: [card] };
  const [, batch] = /^(\d{1,15})(?:-\d{1,5})?$/.exec(text) ?? [];
  const part = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    text: String.raw`(b.id = ? OR b.note LIKE ? ESCAPE '\' OR b.prefix LIKE ? ESCAPE '\' OR p.name LIKE ? ESCAPE '\')`,
    values: [batch === undefined ? 0 : Number(batch), part, part, part],
  };
}

function toRecord(row: Row): BatchRecord {
  const { cards_new, cards_sold, cards_active, cards_used_up, cards_expired, cards_void, ...batch } = row;
  const stand = { new: cards_new, sold: cards_sold, active: cards_active, used_up: cards_used_up };
  return { ...batch, counts: { ...stand, expired: cards_expired, void: cards_void } };
}
