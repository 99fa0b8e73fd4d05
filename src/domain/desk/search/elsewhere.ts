import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cardNumber, parseCardNumber } from "../../goods/codes/codes.ts";
import { cardIdByPrintedNumber } from "../../service/cards/find.ts";
import { printedNumber } from "../../service/cards/print.ts";
import { batchesSeen } from "../../service/cards/reach.ts";
import { type CardStanding, standingSql } from "../../service/cards/standing.ts";
import { type Scope, scopeCondition, scopeEver, seesWholeIsp } from "../../core/actor/actor.ts";
import type { StaffOperation } from "../../core/actor/permissions.ts";
import { unindexed } from "../../goods/subscribers/list-conditions.ts";
import { type Needle, type Range, rangeIn } from "../../goods/subscribers/search-words.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";

const EACH = 3;
/** Years searched without a year. */
const YEARS = 3;
/** A character after any continuation of a prefix. */
const END = "\u{10FFFF}";

interface Named {
  readonly label: string;
  /** The matched part. */
  readonly range: Range | null;
}
type Document = Named & {
  readonly id: number;
  readonly amount: number;
  readonly currency: string;
  readonly name: string;
  readonly at: Seconds;
};

export type Elsewhere =
  | (Document & { readonly kind: "payment" | "refund"; readonly isReversed: boolean })
  | (Document & { readonly kind: "invoice"; readonly paidAt: Seconds | null; readonly isVoid: boolean })
  | (Named & { readonly kind: "box"; readonly lines: number })
  | (Named & { readonly kind: "router"; readonly id: number; readonly address: string })
  | (Named & { readonly kind: "package"; readonly id: number; readonly price: number })
  | (Named & {
      readonly kind: "card";
      readonly id: number;
      readonly paper: string;
      readonly standing: CardStanding;
    });

interface Target {
  readonly scope: Scope;
  readonly allows: (operation: StaffOperation) => boolean;
  readonly needle: Needle;
  readonly now: Seconds;
}

/** What is no subscriber, the newest first or by name, as far as the actor may see it. */
export function findElsewhere(db: Db, { scope, allows, needle, now }: Target): readonly Elsewhere[] {
  return [
    ...(allows("listPayments") ? paymentsNumbered(db, scope, needle, now) : []),
    ...(allows("listInvoices") ? invoicesNumbered(db, scope, needle, now) : []),
    ...(allows("listBoxMembers") ? boxesNamed(db, scope, needle) : []),
    ...(allows("listNas") ? routersNamed(db, scope, needle) : []),
    ...(allows("cardById") ? cardNumbered(db, scope, needle, now) : []),
    ...(allows("listPackages") ? packagesNamed(db, scope, needle) : []),
  ];
}

/** `142`, `2030-000142`, `R-2030-000142`. */
function numbersMeant({ $client }: Db, { raw }: Needle, series: "R" | "I", now: Seconds): string[] {
  const [, letter, year, digits = ""] = /^(?:([RI])-?)?(?:(\d{4}[a-z]{0,3})-)?(\d{1,9})$/i.exec(raw) ?? [];
  if (digits === "" || (letter && letter.toUpperCase() !== series)) return [];
  const number = digits.padStart(6, "0");
  if (year) return [`${series}-${year.toLowerCase()}-${number}`];
  const letters = $client
    .query<{ letter: string }, [string]>("SELECT DISTINCT letter FROM counters WHERE series = ?")
    .all(series)
    .map((row) => row.letter);
  const last = Math.floor(localDay(now) / 10_000);
  const years = Array.from({ length: YEARS }, (_, ago) => last - ago);
  return years.flatMap((one) =>
    [...new Set(["", ...letters])].map((more) => `${series}-${one}${more}-${number}`),
  );
}

/** The condition for numbers, by an ISP's index. */
function numbered({ ispId }: Scope, numbers: readonly string[]): Condition {
  const isp = ispId === null ? "x.isp_id IN (SELECT id FROM isps)" : "x.isp_id = ?";
  return {
    text: `${isp} AND x.number IN (SELECT value FROM json_each(?))`,
    values: [...(ispId === null ? [] : [ispId]), JSON.stringify(numbers)],
  };
}

/** The condition for an actor who sees a part of an ISP; undefined: all of it. */
function visible(scope: Scope): Condition | undefined {
  return seesWholeIsp(scope) ? undefined : scopeEver(scope);
}

/** `select` ends before WHERE. */
function documentsNumbered<Row>(
  db: Db,
  { scope, needle, now }: { scope: Scope; needle: Needle; now: Seconds },
  series: "R" | "I",
  select: string,
): Row[] {
  const numbers = numbersMeant(db, needle, series, now);
  if (numbers.length === 0) return [];
  const { text, values } = all(numbered(scope, numbers), visible(scope));
  return db.$client
    .query<Row, Value[]>(`${select} WHERE ${text} ORDER BY x.id DESC LIMIT ${EACH}`)
    .all(...values);
}

interface PaymentRow extends Omit<Document, "range"> {
  readonly kind: "payment" | "refund";
  readonly reversedAt: Seconds | null;
}

const PAYMENTS = `SELECT x.id, x.kind, x.number AS label, x.amount, x.currency, x.created_at AS at, x.reversed_at AS reversedAt,
    coalesce(s.name, a.name) AS name
  FROM payments x LEFT JOIN subscribers s ON s.id = x.subscriber_id LEFT JOIN staff a ON a.id = x.staff_id`;

const paymentHit = ({ reversedAt, ...row }: PaymentRow, needle: Needle): Elsewhere => ({
  ...row,
  range: rangeIn("number", row.label, needle),
  isReversed: reversedAt !== null,
});

function paymentsNumbered(db: Db, scope: Scope, needle: Needle, now: Seconds): Elsewhere[] {
  const rows = documentsNumbered<PaymentRow>(db, { scope, needle, now }, "R", PAYMENTS);
  return rows.map((row) => paymentHit(row, needle));
}

type InvoiceRow = Omit<Document, "range"> & {
  readonly paidAt: Seconds | null;
  readonly voidedAt: Seconds | null;
};

const INVOICES = `SELECT x.id, x.number AS label, x.amount, x.currency, x.created_at AS at, x.paid_at AS paidAt, x.voided_at AS voidedAt, s.name
  FROM invoices x JOIN subscribers s ON s.id = x.subscriber_id`;

const invoiceHit = ({ voidedAt, ...row }: InvoiceRow, needle: Needle): Elsewhere => ({
  kind: "invoice",
  ...row,
  range: rangeIn("number", row.label, needle),
  isVoid: voidedAt !== null,
});

function invoicesNumbered(db: Db, scope: Scope, needle: Needle, now: Seconds): Elsewhere[] {
  const rows = documentsNumbered<InvoiceRow>(db, { scope, needle, now }, "I", INVOICES);
  return rows.map((row) => invoiceHit(row, needle));
}

/** A card by its number, or by batch and serial; never by its code. */
function cardNumbered(db: Db, scope: Scope, { raw }: Needle, now: Seconds): Elsewhere[] {
  const id = /^c/i.test(raw) ? parseCardNumber(raw) : cardIdByPrintedNumber(db, raw);
  const { text, values } = all({ text: "c.id = ?", values: [id ?? 0] }, batchesSeen(scope));
  return db.$client
    .query<{ id: number; batchId: number; serial: number; standing: CardStanding }, Value[]>(
      `SELECT c.id, c.batch_id AS batchId, c.serial, ${standingSql.replaceAll("$now", "?1")} AS standing
       FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE ?1 = ?1 AND ${text}`,
    )
    .all(now, ...values)
    .map(({ id: found, batchId, serial, standing }) => {
      const number = printedNumber({ id: batchId }, serial);
      return {
        kind: "card" as const,
        id: found,
        label: cardNumber(found),
        range: null,
        paper: number,
        standing,
      };
    });
}

function boxesNamed({ $client }: Db, scope: Scope, needle: Needle): Elsewhere[] {
  const { raw } = needle;
  if (raw.length < 2) return [];
  const writings = [...new Set([raw, raw.toUpperCase(), raw.toLowerCase()])];
  const begins = writings.map(() => "(s.box_number >= ? AND s.box_number < ?)").join(" OR ");
  const bounds = writings.flatMap((one) => [one, one + END]);
  const { text, values } = all({ text: `(${begins})`, values: bounds }, unindexed(scopeCondition(scope)));
  return $client
    .query<{ label: string; lines: number }, Value[]>(
      `SELECT s.box_number AS label, count(*) AS lines FROM subscribers s WHERE ${text}
       GROUP BY s.box_number ORDER BY s.box_number LIMIT ${EACH}`,
    )
    .all(...values)
    .map(({ label, lines }) => ({
      kind: "box" as const,
      label,
      lines,
      range: rangeIn("box", label, needle),
    }));
}

function routersNamed({ $client }: Db, scope: Scope, needle: Needle): Elsewhere[] {
  const { text, values } = all(equal("n.isp_id", scope.ispId));
  return $client
    .query<{ id: number; label: string; address: string }, Value[]>(
      `SELECT n.id, n.name AS label, n.address FROM nas n WHERE ${text} ORDER BY n.name COLLATE NOCASE`,
    )
    .all(...values)
    .map(({ id, label, address }) => {
      const range = rangeIn("name", label, needle);
      return { kind: "router" as const, id, label, address, range };
    })
    .filter(({ range, address }) => isFound(range, needle) || address === needle.raw)
    .slice(0, EACH);
}

function packagesNamed({ $client }: Db, scope: Scope, needle: Needle): Elsewhere[] {
  const { text, values } = all(equal("p.isp_id", scope.ispId));
  return $client
    .query<{ id: number; label: string; price: number }, Value[]>(
      `SELECT p.id, p.name AS label, p.price FROM packages p WHERE ${text} ORDER BY p.name COLLATE NOCASE`,
    )
    .all(...values)
    .map(({ id, label, price }) => {
      const range = rangeIn("name", label, needle);
      return { kind: "package" as const, id, label, price, range };
    })
    .filter(({ range }) => isFound(range, needle))
    .slice(0, EACH);
}

/** Short queries only at the beginning. */
function isFound(range: Range | null, { text }: Needle): boolean {
  return range !== null && (range[0] === 0 || text.length > 2);
}
