import { selectColumns } from "../../../../db/columns.ts";
import { all, among, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { payments } from "../../../../db/schema.ts";
import { type Changed, changedRecords, type Position } from "../../core/changes/changes.ts";
import { known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor, Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import { staffCondition } from "../../core/actor/reach.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";

export type Payment = typeof payments.$inferSelect & {
  readonly payerName: string;
  readonly payerUsername: string;
  readonly takerName: string | null;
  readonly invoiceNumber: string | null;
  /** Of the invoice or card; null: none, or a refill. */
  readonly packageName: string | null;
};

const select = `
  SELECT ${selectColumns(payments, "p")}, coalesce(s.name, k.number, a.name) AS payerName, coalesce(s.username, k.number, a.username) AS payerUsername,
    t.name AS takerName, i.number AS invoiceNumber, coalesce(i.package_name, (SELECT g.name FROM cards c JOIN card_batches b ON b.id = c.batch_id
      JOIN packages g ON g.id = b.package_id WHERE c.id = p.card_id)) AS packageName
  FROM payments p LEFT JOIN (SELECT id, printf('C-%06d', id) AS number FROM cards) k ON k.id = p.card_id LEFT JOIN subscribers s ON s.id = p.subscriber_id LEFT JOIN staff a ON a.id = p.staff_id
    LEFT JOIN staff t ON t.id = p.taken_by LEFT JOIN invoices i ON i.id = p.invoice_id`;

export interface PaymentFilters {
  readonly subscriberId?: number | null | undefined;
  readonly staffId?: number | null | undefined;
  readonly takenBy?: number | null | undefined;
  readonly kind?: "payment" | "refund" | null | undefined;
  readonly method?: string | null | undefined;
  readonly reference?: string | null | undefined;
  readonly number?: string | null | undefined;
  /** Those that were reversed, or those that were not. */
  readonly isReversed?: boolean | undefined;
  readonly resellerId?: number | null | undefined;
  /** 0: not closed yet. */
  readonly closingId?: number | null | undefined;
  readonly from?: Seconds | null | undefined;
  readonly to?: Seconds | null | undefined;
}

export function listPayments(
  db: Db,
  by: Actor,
  filters: PaymentFilters,
  { before, limit }: { before: number; limit: number },
): Payment[] {
  permit(by, "listPayments");
  const { text, values } = all(
    { text: "p.id < ?", values: [before] },
    inScope(by.scope),
    isShort(filters) ? betweenIds(by.scope, filters) : undefined,
    matches(filters),
  );
  return db.$client
    .query<Payment, Value[]>(`${select} WHERE ${text} ORDER BY p.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

/** Payments that changed, reversed ones too. */
export function changedPayments(db: Db, by: Actor, position: Position): Changed<Payment> {
  permit(by, "changedPayments");
  return changedRecords(db, "payment", position, {
    visible: (ids) => {
      const { text, values } = all(among("p.id", ids), inScope(by.scope));
      return db.$client.query<Payment, Value[]>(`${select} WHERE ${text}`).all(...values);
    },
    idOf: ({ id }) => id,
  });
}

export function paymentById(db: Db, by: Actor, id: number): Payment {
  permit(by, "paymentById");
  return findPayment(db, by.scope, id);
}

export function findPayment({ $client }: Db, scope: Scope, id: number): Payment {
  const { text, values } = all({ text: "p.id = ?", values: [id] }, inScope(scope));
  return known(
    $client.query<Payment, Value[]>(`${select} WHERE ${text}`).get(...values),
    phrase`there is no payment ${id}`,
  );
}

/** The plus avoids sorting a whole ISP. */
function inScope(scope: Scope): Condition {
  if (seesWholeIsp(scope)) return all(equal("+p.isp_id", scope.ispId));
  const [ofSubscriber, ofStaff] = [scopeEver(scope), staffCondition(scope)];
  return {
    text: `((p.subscriber_id IS NOT NULL AND ${ofSubscriber.text}) OR (p.staff_id IS NOT NULL AND ${ofStaff.text}))`,
    values: [...ofSubscriber.values, ...ofStaff.values],
  };
}

/** The index of ISPs and times clusters a month. */
function inIsps({ ispId }: Scope): Condition {
  if (ispId === null) return { text: "p.isp_id IN (SELECT id FROM isps)", values: [] };
  return all(equal("p.isp_id", ispId));
}

/** Id bounds of a short time, so that only it is scanned. */
function betweenIds(scope: Scope, { from, to }: Short): Condition {
  const isps = inIsps(scope);
  const ofTime = `FROM payments p WHERE ${isps.text} AND p.created_at >= ? AND p.created_at <= ?`;
  const values = [...isps.values, from, to];
  return {
    text: `p.id >= (SELECT min(p.id) ${ofTime}) AND p.id <= (SELECT max(p.id) ${ofTime})`,
    values: [...values, ...values],
  };
}

function matches(filters: PaymentFilters): Condition {
  const { from, to, isReversed, reference } = filters;
  return all(
    equal("p.subscriber_id", filters.subscriberId),
    equal("p.staff_id", filters.staffId),
    equal("p.taken_by", filters.takenBy),
    equal("p.kind", filters.kind),
    equal("p.method", filters.method),
    equal("p.reference_key", reference && referenceKey(reference)),
    equal("p.number", filters.number),
    orNone("p.reseller_id", filters.resellerId),
    orNone("p.closing_id", filters.closingId),
    isReversed === undefined
      ? undefined
      : { text: `p.reversed_at IS ${isReversed ? "NOT NULL" : "NULL"}`, values: [] },
    from ? { text: "p.created_at >= ?", values: [from] } : undefined,
    to ? { text: "p.created_at <= ?", values: [to] } : undefined,
  );
}

/** 0 means NULL. */
function orNone(column: string, value: number | null | undefined): Condition | undefined {
  return value === 0 ? { text: `${column} IS NULL`, values: [] } : equal(column, value);
}

/** Days summed row by row. */
const MOST_SUMMED = 31;

type Short = PaymentFilters & { readonly from: Seconds; readonly to: Seconds };

/** A month or less. */
function isShort(filters: PaymentFilters): filters is Short {
  const { from, to } = filters;
  return Boolean(from && to && to - from < MOST_SUMMED * 86_400 + 3600);
}

export interface PaymentSums {
  readonly currency: string;
  /** As Today counts: what reached the ISP, or what a Reseller keeps. */
  readonly payments: number;
  readonly taken: number;
  /** Reversed since. */
  readonly reversed: number;
  readonly refunded: number;
  /** What the other side keeps, net of reversals. */
  readonly elsewhere: number;
  readonly elsewherePayments: number;
}

/** Sums by currency; null for more than a month, which the report of collections has. */
export function paymentSums(db: Db, by: Actor, filters: PaymentFilters): PaymentSums[] | null {
  permit(by, "paymentSums");
  const { from, subscriberId, closingId } = filters;
  if (!isShort(filters) && !subscriberId && !closingId) return null;
  const { text, values } = all(inScope(by.scope), from ? inIsps(by.scope) : undefined, matches(filters));
  const [ours, theirs] =
    by.scope.salespersonId === null
      ? ["p.reseller_id IS NULL", "p.reseller_id IS NOT NULL"]
      : ["p.reseller_id IS NOT NULL", "(p.reseller_id IS NULL AND p.subscriber_id IS NOT NULL)"];
  return db.$client
    .query<PaymentSums, Value[]>(
      `SELECT p.currency, sum(${ours} AND p.kind = 'payment') AS payments, sum(iif(${ours} AND p.kind = 'payment', p.amount, 0)) AS taken,
         sum(iif(${ours} AND p.reversed_at IS NOT NULL, p.amount, 0)) AS reversed, sum(iif(${ours} AND p.kind = 'refund', p.amount, 0)) AS refunded,
         sum(iif(${theirs} AND p.reversed_at IS NULL, iif(p.kind = 'payment', p.amount, -p.amount), 0)) AS elsewhere,
         sum(${theirs} AND p.reversed_at IS NULL AND p.kind = 'payment') AS elsewherePayments
       FROM payments p LEFT JOIN subscribers s ON s.id = p.subscriber_id LEFT JOIN staff a ON a.id = p.staff_id
       WHERE ${text} GROUP BY p.currency ORDER BY p.currency`,
    )
    .all(...values);
}

/** Whitespace, dashes and look-alikes, invisible characters. */
const UNCOMPARED = /[\s\p{Pd}\p{Cf}\u2043\u2212]/gu;

/** The reference folded and narrow, without blanks and dashes. */
export function referenceKey(reference: string): string {
  return fold(reference.normalize("NFKC")).replace(UNCOMPARED, "");
}
