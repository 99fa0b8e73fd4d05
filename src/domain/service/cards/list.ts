import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cards } from "../../../../db/schema.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { countSql, stateOf, withCounts } from "./counts.ts";
import { batchesSeen, noCard, seesBatch } from "./reach.ts";
import { type Card, type CardBatch, type CardStanding, standingSql } from "./standing.ts";

/** A card with fields of its batch and others; never its code. */
export type CardRow = Omit<Card, "codeKey" | "codeSealed"> &
  Pick<
    CardBatch,
    "ispId" | "branchId" | "kind" | "packageId" | "price" | "resellerId" | "sellBy" | "useBy"
  > & {
    readonly standing: CardStanding;
    readonly packageName: string | null;
    readonly resellerName: string | null;
    /** null: not sold, or not by staff. */
    readonly sellerName: string | null;
    /** Receipt number of its buyer; null: not sold by the ISP for money. */
    readonly receipt: string | null;
    /** The subscriber who redeemed it. */
    readonly redeemerName: string | null;
  };

export type CardRecord = CardRow & {
  readonly sessions: number;
  readonly online: number;
};

export interface CardFilters {
  readonly batchId?: number | null | undefined;
  readonly state?: Card["state"] | null | undefined;
  readonly standing?: CardStanding | null | undefined;
  readonly kind?: CardBatch["kind"] | null | undefined;
  readonly packageId?: number | null | undefined;
  readonly resellerId?: number | null | undefined;
  readonly soldBy?: number | null | undefined;
  readonly redeemedBy?: number | null | undefined;
  readonly soldFrom?: Seconds | null | undefined;
  readonly soldTo?: Seconds | null | undefined;
  /** Serials of a batch. */
  readonly fromSerial?: number | null | undefined;
  readonly toSerial?: number | null | undefined;
}

export interface CardPage {
  readonly descending?: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly now: Seconds;
}

/** `$now` comes first. */
const select = `SELECT ${selectColumns(cards, "c", ["codeKey", "codeSealed"])}, ${standingSql.replaceAll("$now", "?1")} AS standing,
  b.isp_id AS ispId, b.branch_id AS branchId, b.kind, b.package_id AS packageId, b.price, b.reseller_id AS resellerId,
  b.sell_by AS sellBy, b.use_by AS useBy,
  (SELECT name FROM packages WHERE id = b.package_id) AS packageName, (SELECT name FROM staff WHERE id = b.reseller_id) AS resellerName,
  (SELECT name FROM staff WHERE id = c.sold_by) AS sellerName, (SELECT number FROM payments WHERE id = c.sale_payment_id) AS receipt,
  (SELECT name FROM subscribers WHERE id = c.redeemed_by) AS redeemerName`;

/** Matching cards in scope by batch and serial, and the total. */
export function listCards(
  db: Db,
  by: Actor,
  filters: CardFilters,
  page: CardPage,
): { records: CardRow[]; total: number } {
  permit(by, "listCards");
  const ofBatch = all(batchesSeen(by.scope), ofBatches(filters));
  return filters.redeemedBy
    ? listByRedeemer(db, ofBatch, filters, page)
    : listByBatch(db, ofBatch, filters, page);
}

export function cardById(db: Db, by: Actor, id: number, { now }: { now: Seconds }): CardRecord {
  permit(by, "cardById");
  return findCardRow(db, by.scope, id, now);
}

export function findCardRow(db: Db, scope: Scope, id: number, now: Seconds): CardRecord {
  const { text, values } = all(equal("c.id", id), batchesSeen(scope));
  const found = db.$client
    .query<CardRow, Value[]>(
      `${select} FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE ?1 = ?1 AND ${text}`,
    )
    .get(now, ...values);
  if (!found) throw noCard(id);
  const used = db.$client
    .query<{ sessions: number; online: number }, [number]>(
      "SELECT count(*) AS sessions, coalesce(sum(stopped_at IS NULL), 0) AS online FROM sessions WHERE card_id = ?",
    )
    .get(id);
  return { ...found, ...(used ?? { sessions: 0, online: 0 }) };
}

/** Throws `not_found` for a card read without scope. */
export function requireSeen(scope: Scope, card: CardRow): void {
  if (!seesBatch(scope, card)) throw noCard(card.id);
}

function ofBatches({ batchId, kind, packageId, resellerId }: CardFilters): Condition {
  return all(
    equal("b.id", batchId),
    equal("b.kind", kind),
    equal("b.package_id", packageId),
    equal("b.reseller_id", resellerId),
  );
}

interface Part {
  readonly id: number;
  readonly cards: number;
}

/** Matches by batch, so that only the batches of a page are read. */
function listByBatch(
  db: Db,
  ofBatch: Condition,
  filters: CardFilters,
  { descending = false, limit, offset, now }: CardPage,
): { records: CardRow[]; total: number } {
  const direction = descending ? "DESC" : "ASC";
  const counted = countedBy(filters, now);
  const parts = db.$client
    .query<Part, Value[]>(
      `WITH parts AS MATERIALIZED (SELECT ?1 AS now, b.id, ${counted.text} AS cards FROM ${withCounts} WHERE ${ofBatch.text})
       SELECT id, cards FROM parts WHERE cards > 0 ORDER BY id ${direction}`,
    )
    .all(now, ...counted.values, ...ofBatch.values);
  const { text, values } = ofCards(filters, now);
  const ofPart = db.$client.query<CardRow, Value[]>(
    `${select} FROM card_batches b CROSS JOIN cards c ON c.batch_id = b.id
     WHERE ?1 = ?1 AND b.id = ? AND ${text} ORDER BY c.serial ${direction} LIMIT ? + 0 OFFSET ?`,
  );
  const records: CardRow[] = [];
  let total = 0;
  for (const { id, cards } of parts) {
    const skipped = Math.max(0, offset - total);
    total += cards;
    const left = limit - records.length;
    if (left > 0 && skipped < cards) records.push(...ofPart.all(now, id, ...values, left, skipped));
  }
  return { records, total };
}

/** SQL of a batch's matching cards: from sums where possible, else by index. */
function countedBy(filters: CardFilters, now: Seconds): Condition {
  const { state, standing, soldBy, soldFrom, soldTo, fromSerial, toSerial } = filters;
  const hasSerials = (fromSerial ?? toSerial ?? null) !== null;
  const hasSales = (soldBy ?? soldFrom ?? soldTo ?? null) !== null;
  if (!hasSerials && !hasSales) return { text: countSql({ state, standing }), values: [] };
  if (!hasSales && !state && !standing)
    return {
      text: "max(0, min(b.quantity, ?) - max(1, ?) + 1)",
      values: [toSerial ?? Number.MAX_SAFE_INTEGER, fromSerial ?? 1],
    };
  const index = soldBy
    ? "cards_seller"
    : hasSales
      ? "cards_sold"
      : state || standing !== "expired"
        ? "cards_state"
        : "cards_serial";
  const { text, values } = ofCards(filters, now);
  return {
    text: `(SELECT count(*) FROM cards c INDEXED BY ${index} WHERE c.batch_id = b.id AND ${text})`,
    values,
  };
}

/** Cards by who redeemed them, who has few. */
function listByRedeemer(
  db: Db,
  ofBatch: Condition,
  filters: CardFilters,
  { descending = false, limit, offset, now }: CardPage,
): { records: CardRow[]; total: number } {
  const { text, values } = all(ofBatch, ofCards(filters, now));
  const direction = descending ? "DESC" : "ASC";
  const from =
    "FROM cards c INDEXED BY cards_redeemed JOIN card_batches b ON b.id = c.batch_id WHERE ?1 = ?1";
  const rows = db.$client
    .query<CardRow, Value[]>(
      `${select} ${from} AND ${text} ORDER BY b.id ${direction}, c.serial ${direction} LIMIT ? + 0 OFFSET ?`,
    )
    .all(now, ...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total ${from} AND ${text}`)
    .get(now, ...values);
  return { records: rows, total: counted?.total ?? 0 };
}

function ofCards(filters: CardFilters, now: Seconds): Condition {
  const { standing, soldFrom, soldTo, fromSerial, toSerial } = filters;
  return all(
    equal("c.state", filters.state),
    standing ? standingIs(standing, now) : undefined,
    equal("c.sold_by", filters.soldBy),
    equal("c.redeemed_by", filters.redeemedBy),
    bound("c.sold_at >=", soldFrom),
    bound("c.sold_at <=", soldTo),
    bound("c.serial >=", fromSerial),
    bound("c.serial <=", toSerial),
  );
}

function bound(comparison: string, value: number | null | undefined): Condition | undefined {
  return value === null || value === undefined ? undefined : { text: `${comparison} ?`, values: [value] };
}

/** Cards in a state by the index of states, so that skipped ones are not read. */
function standingIs(standing: CardStanding, now: Seconds): Condition {
  return all(equal("c.state", stateOf(standing)), {
    text: `${standingSql.replaceAll("$now", "?")} = ?`,
    values: [now, now, now, standing],
  });
}
