import { selectColumns } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { cardBatches } from "../../../../db/schema.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import type { CardBatch } from "../../service/cards/standing.ts";
import type { Payment } from "../../money/payments/find.ts";
import { type Branding, findBranding } from "../../people/branding/branding.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Invoice } from "../../money/invoices/find.ts";

export interface Issuer {
  readonly name: string;
  readonly address: readonly string[];
  readonly taxNumber: string;
  readonly contact: readonly string[];
  readonly phone: string;
}

export interface Addressee {
  readonly name: string;
  readonly username: string;
  readonly address: string | null;
  readonly phone: string | null;
}

export interface Printout {
  readonly issuer: Issuer;
  readonly addressee: Addressee;
}

/** `branding` may be read already. */
export function invoicePrintout(
  db: Db,
  { ispId, subscriberId }: Pick<Invoice, "ispId" | "subscriberId">,
  branding: Branding | undefined = findBranding(db, ispId),
): Printout {
  return { issuer: toIssuer(branding), addressee: findAddressee(db, "subscriber", subscriberId) };
}

/** What was activated with a payment, in minor units. */
export interface PaidFor {
  readonly packageName: string;
  readonly periodEnd: Seconds;
  readonly amount: number;
}

export type SoldCard = CardBatch & {
  readonly number: string;
  /** null: a refill. */
  readonly packageName: string | null;
};

/** Balance, activation and card of a payment. */
export interface PaymentPrintout extends Printout {
  readonly balance: number;
  readonly paidFor: PaidFor | null;
  readonly card: SoldCard | null;
}

/** The printout of a payment. Throws as `invoicePrintout`. */
export function paymentPrintout(
  db: Db,
  {
    id,
    ispId,
    subscriberId,
    staffId,
    cardId,
    invoiceId,
  }: Pick<Payment, "id" | "ispId" | "subscriberId" | "staffId" | "cardId" | "invoiceId">,
  branding: Branding | undefined = findBranding(db, ispId),
): PaymentPrintout {
  const addressee =
    cardId !== null
      ? cardBuyer(cardId)
      : subscriberId === null
        ? findAddressee(db, "staff", staffId ?? 0)
        : findAddressee(db, "subscriber", subscriberId);
  const paidFor = invoiceId === null ? null : soldBy(db, invoiceId);
  const card = cardId === null ? null : soldCard(db, cardId);
  return { issuer: toIssuer(branding), addressee, balance: balanceAfter(db, id), paidFor, card };
}

function toIssuer(branding: Branding | undefined): Issuer {
  const { name = "", address = [], taxNumber = "", contact = [], phone = "" } = branding ?? {};
  return { name, address, taxNumber, contact, phone };
}

const addressees = {
  subscriber: "SELECT name, username, address, mobile_number AS phone FROM subscribers WHERE id = ?",
  staff: "SELECT name, username, NULL AS address, phone FROM staff WHERE id = ?",
};

function findAddressee({ $client }: Db, kind: "subscriber" | "staff", id: number): Addressee {
  const found = $client.query<Addressee, [number]>(addressees[kind]).get(id);
  return found ?? { name: "", username: "", address: null, phone: null };
}

/** Anonymous. */
function cardBuyer(cardId: number): Addressee {
  return { name: cardNumber(cardId), username: "", address: null, phone: null };
}

function soldCard({ $client }: Db, cardId: number): SoldCard | null {
  const batch = $client
    .query<Omit<SoldCard, "number">, [number]>(
      `SELECT ${selectColumns(cardBatches, "b")}, (SELECT name FROM packages WHERE id = b.package_id) AS packageName
       FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = ?`,
    )
    .get(cardId);
  return batch && { ...batch, number: cardNumber(cardId) };
}

function soldBy({ $client }: Db, invoiceId: number): PaidFor | null {
  return $client
    .query<PaidFor, [number]>(
      "SELECT package_name AS packageName, period_end AS periodEnd, amount FROM invoices WHERE id = ?",
    )
    .get(invoiceId);
}

function balanceAfter({ $client }: Db, paymentId: number): number {
  const entry = $client
    .query<{ balance: number }, [number]>(
      `SELECT balance_after AS balance FROM ledger_entries
       WHERE payment_id = ? AND kind IN ('payment', 'refund') ORDER BY id LIMIT 1`,
    )
    .get(paymentId);
  return entry?.balance ?? 0;
}
