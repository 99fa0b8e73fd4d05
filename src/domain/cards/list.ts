import { columnsOf } from "../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { cards } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import type { Actor, Scope } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { cardNumber } from "./codes.ts";
import { batchesSeen } from "./reach.ts";
import { type Card, type CardBatch, type CardStanding, standingSql } from "./standing.ts";

/** A card with what its reader needs of its batch and of others; never its code. */
export type CardRow = Omit<Card, "codeKey" | "codeSealed"> &
  Pick<
    CardBatch,
    "ispId" | "branchId" | "kind" | "packageId" | "price" | "resellerId" | "sellBy" | "useBy"
  > & {
    readonly standing: CardStanding;
    readonly packageName: string | null;
    readonly resellerName: string | null;
    /** Who sold it; null: nobody, or nobody of the staff. */
    readonly sellerName: string | null;
    /** The number of the receipt that its buyer got; null: it was not sold for money of the ISP. */
    readonly receipt: string | null;
    /** The subscriber whose wallet or service it went into. */
    readonly redeemerName: string | null;
  };

/** The same with how often it was used. */
export type CardRecord = CardRow & {
  readonly sessions: number;
  /** Of them, those that are open. */
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
  /** When it was sold. */
  readonly soldFrom?: Seconds | null | undefined;
  readonly soldTo?: Seconds | null | undefined;
  /** When it was first used. */
  readonly usedFrom?: Seconds | null | undefined;
  readonly usedTo?: Seconds | null | undefined;
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

/** The value of `$now`, which comes first. */
const select = `SELECT ${columnsOf(cards, "c", ["codeKey", "codeSealed"])}, ${standingSql.replaceAll("$now", "?1")} AS standing,
  b.isp_id AS ispId, b.branch_id AS branchId, b.kind, b.package_id AS packageId, b.price, b.reseller_id AS resellerId,
  b.sell_by AS sellBy, b.use_by AS useBy,
  (SELECT name FROM packages WHERE id = b.package_id) AS packageName, (SELECT name FROM staff WHERE id = b.reseller_id) AS resellerName,
  (SELECT name FROM staff WHERE id = c.sold_by) AS sellerName, (SELECT number FROM payments WHERE id = c.sale_payment_id) AS receipt,
  (SELECT name FROM subscribers WHERE id = c.redeemed_by) AS redeemerName`;
// batch by batch, each from an index in the order of its cards, so that a page of a million is not sorted
const inOrder = "FROM card_batches b CROSS JOIN cards c ON c.batch_id = b.id";

/** Those in the actor's scope that match, batch by batch in the order of their serials, and how many match in all. */
export function listCards(
  db: Db,
  by: Actor,
  filters: CardFilters,
  { descending = false, limit, offset, now }: CardPage,
): { records: CardRow[]; total: number } {
  permit(by, "listCards");
  const [ofBatch, ofCard] = [all(batchesSeen(by.scope), ofBatches(filters)), ofCards(filters, now)];
  const { text, values } = all(ofBatch, ofCard);
  const direction = descending ? "DESC" : "ASC";
  const rows = db.$client
    .query<CardRow, Value[]>(
      `${select} ${sourceOf(filters)} WHERE ?1 = ?1 AND ${text} ORDER BY b.id ${direction}, ${placeOf(filters)} ${direction} LIMIT ? + 0 OFFSET ?`,
    )
    .all(now, ...values, limit, offset);
  return { records: rows, total: totalOf(db, filters, { ofBatch, ofCard }) };
}

/** Throws `not_found` outside the actor's scope. */
export function cardById(db: Db, by: Actor, id: number, { now }: { now: Seconds }): CardRecord {
  permit(by, "cardById");
  return findCardRow(db, by.scope, id, now);
}

/** The card of an id within a scope. Throws `not_found`. */
export function findCardRow(db: Db, scope: Scope, id: number, now: Seconds): CardRecord {
  const { text, values } = all(equal("c.id", id), batchesSeen(scope));
  const found = db.$client
    .query<CardRow, Value[]>(
      `${select} FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE ?1 = ?1 AND ${text}`,
    )
    .get(now, ...values);
  if (!found) throw new DomainError("not_found", `there is no card ${cardNumber(id)}`);
  const used = db.$client
    .query<{ sessions: number; online: number }, [number]>(
      "SELECT count(*) AS sessions, coalesce(sum(stopped_at IS NULL), 0) AS online FROM sessions WHERE card_id = ?",
    )
    .get(id);
  return { ...found, ...(used ?? { sessions: 0, online: 0 }) };
}

function ofBatches({ batchId, kind, packageId, resellerId }: CardFilters): Condition {
  return all(
    equal("b.id", batchId),
    equal("b.kind", kind),
    equal("b.package_id", packageId),
    equal("b.reseller_id", resellerId),
  );
}

/** Undefined where every card of the batches matches. */
function ofCards(filters: CardFilters, now: Seconds): Condition | undefined {
  const { standing, soldFrom, soldTo, usedFrom, usedTo, fromSerial, toSerial } = filters;
  const conditions = [
    equal("c.state", filters.state),
    standing ? standingIs(standing, now) : undefined,
    equal("c.sold_by", filters.soldBy),
    equal("c.redeemed_by", filters.redeemedBy),
    bound("c.sold_at >=", soldFrom),
    bound("c.sold_at <=", soldTo),
    bound("c.first_used_at >=", usedFrom),
    bound("c.first_used_at <=", usedTo),
    bound("c.serial >=", fromSerial),
    bound("c.serial <=", toSerial),
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? undefined : all(...conditions);
}

function bound(comparison: string, value: number | null | undefined): Condition | undefined {
  return value === null || value === undefined ? undefined : { text: `${comparison} ?`, values: [value] };
}

/** With the state that it follows from, which has an index. */
function standingIs(standing: CardStanding, now: Seconds): Condition {
  const stored = standing === "expired" ? undefined : standing === "used_up" ? "active" : standing;
  return all(equal("c.state", stored), {
    text: `${standingSql.replaceAll("$now", "?")} = ?`,
    values: [now, now, now, standing],
  });
}

/** Few were sold on a day, used on a day or redeemed by one: their own indexes lead to them. */
function sourceOf({ soldFrom, usedFrom, redeemedBy }: CardFilters): string {
  const isFew = Boolean(soldFrom ?? usedFrom ?? redeemedBy);
  return isFew ? "FROM cards c JOIN card_batches b ON b.id = c.batch_id" : inOrder;
}

/** By which index the cards of a batch come in their order. */
function placeOf({ state, standing }: CardFilters): string {
  return state || (standing && standing !== "expired") ? "c.id" : "c.serial";
}

function totalOf(
  { $client }: Db,
  filters: CardFilters,
  { ofBatch, ofCard }: { ofBatch: Condition; ofCard: Condition | undefined },
): number {
  const { text, values } = all(ofBatch, ofCard);
  const sql =
    ofCard === undefined
      ? `SELECT coalesce(sum(b.quantity), 0) AS total FROM card_batches b WHERE ${text}`
      : `SELECT count(*) AS total ${sourceOf(filters)} WHERE ${text}`;
  return $client.query<{ total: number }, Value[]>(sql).get(...values)?.total ?? 0;
}
