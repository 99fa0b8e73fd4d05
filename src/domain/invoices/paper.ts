import { cardNumber } from "../cards/codes.ts";
import type { Db } from "../../../db/open.ts";
import type { Payment } from "../payments/find.ts";
import { brandingOf } from "../portal/branding.ts";
import type { Seconds } from "../time.ts";
import type { Invoice } from "./find.ts";

/** Who writes a receipt or an invoice, as it stands on it. */
export interface Issuer {
  readonly name: string;
  readonly address: readonly string[];
  readonly taxNumber: string;
  readonly contact: readonly string[];
  readonly phone: string;
}

/** Whom it is for. */
export interface Addressee {
  readonly name: string;
  readonly username: string;
  readonly address: string | null;
  readonly phone: string | null;
}

/** What a receipt or an invoice prints beside itself. */
export interface Paper {
  readonly issuer: Issuer;
  readonly addressee: Addressee;
}

/** Of an invoice that was found within a scope. */
export function paperOfInvoice(
  db: Db,
  { ispId, subscriberId }: Pick<Invoice, "ispId" | "subscriberId">,
): Paper {
  return { issuer: issuerOf(db, ispId), addressee: addresseeOf(db, "subscriber", subscriberId) };
}

/** What was activated with a payment, in minor units. */
export interface PaidFor {
  readonly packageName: string;
  readonly periodEnd: Seconds;
  readonly amount: number;
}

/** Of a payment or refund that was found within a scope, and what the wallet held after it, in minor units; what came with it. */
export function paperOfPayment(
  db: Db,
  {
    id,
    ispId,
    subscriberId,
    staffId,
    cardId,
    invoiceId,
  }: Pick<Payment, "id" | "ispId" | "subscriberId" | "staffId" | "cardId" | "invoiceId">,
): Paper & { readonly balance: number; readonly paidFor: PaidFor | null } {
  const addressee =
    cardId !== null
      ? buyerOf(cardId)
      : subscriberId === null
        ? addresseeOf(db, "staff", staffId ?? 0)
        : addresseeOf(db, "subscriber", subscriberId);
  const paidFor = invoiceId === null ? null : soldBy(db, invoiceId);
  return { issuer: issuerOf(db, ispId), addressee, balance: balanceAfter(db, id), paidFor };
}

function issuerOf(db: Db, ispId: number): Issuer {
  const { name = "", address = [], taxNumber = "", contact = [], phone = "" } = brandingOf(db, ispId) ?? {};
  return { name, address, taxNumber, contact, phone };
}

const addressees = {
  subscriber: "SELECT name, username, address, mobile_number AS phone FROM subscribers WHERE id = ?",
  staff: "SELECT name, username, NULL AS address, phone FROM staff WHERE id = ?",
};

function addresseeOf({ $client }: Db, kind: "subscriber" | "staff", id: number): Addressee {
  const found = $client.query<Addressee, [number]>(addressees[kind]).get(id);
  return found ?? { name: "", username: "", address: null, phone: null };
}

/** Who buys a card says no name. */
function buyerOf(cardId: number): Addressee {
  return { name: cardNumber(cardId), username: "", address: null, phone: null };
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
