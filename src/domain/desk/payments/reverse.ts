import { type Db, type Tx, write } from "../../../../db/open.ts";
import { payments } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { book } from "../../money/billing/book.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { actingColumns, append } from "../../money/billing/ledger.ts";
import { invoiceById } from "../../money/invoices/find-invoice.ts";
import { voidInvoice } from "../void/void.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { findPayment, type Payment } from "../../money/payments/find.ts";
import { type Payer, requirePayer } from "../../money/payments/payer.ts";
import type { Booked } from "./refund.ts";

const DAY = 86_400;

export interface Reversal {
  readonly paymentId: number;
  readonly reason: string;
  readonly voids?: boolean | undefined;
}

/** Reverses both entries; wallets may become negative, and charges reopen. Throws `not_found`, `forbidden`, `conflict`, `refused`. */
export function reversePayment(
  db: Db,
  by: Actor,
  { paymentId, reason, voids = false }: Reversal,
  { now }: { now: Seconds },
): Booked {
  permit(by, "reversePayment");
  return write(db, (tx) => {
    const { payment, account } = requireReversing(tx, by, { paymentId, voids });
    requireReversible(tx, by, payment, now);
    if (voids) voidWith(tx, by, { payment, reason }, now);
    writeReversal(tx, by, { payment, reason, voids }, now);
    return { payment: findPayment(tx, by.scope, paymentId), balance: readBalance(tx, account) };
  });
}

/** Reverses the sale of an unused card, however old. Checks no permission. Throws `forbidden` to the cashier after its close. */
export function reverseSale(
  tx: Tx,
  by: Actor,
  { paymentId, reason }: Omit<Reversal, "voids">,
  now: Seconds,
): Payment {
  const payment = findPayment(tx, everything, paymentId);
  requireNotClosed(by, payment);
  writeReversal(tx, by, { payment, reason, voids: false }, now);
  return findPayment(tx, everything, paymentId);
}

function writeReversal(
  tx: Tx,
  by: Actor,
  { payment, reason, voids }: Reversed & { voids: boolean },
  now: Seconds,
): void {
  const { actingStaffId: reversedBy, actor: reversedActor } = actingColumns(by);
  const reversed = { reversedAt: now, reversedBy, reversedActor, reversalReason: reason };
  update(tx, payments, reversed, { id: payment.id });
  takeBack(tx, by, { payment, reason }, now);
  audit(tx, by, now, {
    action: "payment.reverse",
    entity: "payment",
    entityId: payment.id,
    ispId: payment.ispId,
    after: { number: payment.number, amount: formatAmount(payment.amount), reason, void: voids ? 1 : 0 },
  });
}

/** A Reseller's own alone. Throws `not_found`, `forbidden`. */
export function requireReversing(
  db: Db,
  by: Actor,
  { paymentId, voids = false }: Pick<Reversal, "paymentId" | "voids">,
): { payment: Payment; account: Payer["account"] } {
  const payment = findPayment(db, by.scope, paymentId);
  if (payment.cardId !== null)
    throw new DomainError(
      "refused",
      phrase`${payment.number} was paid for the card ${cardNumber(payment.cardId)}; make the card void (card/void), which gives the money back`,
      { code: "paid_for_card" },
    );
  const { account } = requirePayer(db, by, payment);
  const { salespersonId } = by.scope;
  if (salespersonId !== null && payment.resellerId !== salespersonId)
    throw new DomainError(
      "forbidden",
      phrase`${payment.number} was taken by staff of the ISP, and a reseller reverses what it took itself; ask them`,
      { code: "not_own" },
    );
  if (voids) requireFlag(by, "invoice_void");
  return { payment, account };
}

function requireReversible(tx: Tx, by: Actor, payment: Payment, now: Seconds): void {
  const { kind, number, reversedAt, createdAt, ispId } = payment;
  if (kind !== "payment")
    throw new DomainError("refused", phrase`${number} is a refund; take the money back as a payment`, {
      code: "is_refund",
    });
  if (reversedAt !== null)
    throw new DomainError("conflict", phrase`${number} was reversed on ${formatTime(reversedAt)}`, {
      code: "already_reversed",
    });
  requireNotClosed(by, payment);
  const days = setting(tx, "reverse_days", ispId);
  if (now - createdAt > days * DAY)
    throw new DomainError(
      "refused",
      phrase`${number} is older than ${days} days; correct the wallet instead (wallet/adjust or payment/refund)`,
      { code: "too_old" },
    );
}

function requireNotClosed({ staffId }: Actor, { number, closingId, takenBy }: Payment): void {
  if (closingId === null || takenBy !== staffId) return;
  throw new DomainError(
    "forbidden",
    phrase`${number} is in your day's close ${closingId}; ask somebody else to reverse it`,
    { code: "day_closed" },
  );
}

interface Reversed {
  payment: Payment;
  reason: string;
}

function voidWith(tx: Tx, by: Actor, { payment, reason }: Reversed, now: Seconds): void {
  const { invoiceId, number, invoiceNumber } = payment;
  if (invoiceId === null)
    throw new DomainError("refused", phrase`nothing was activated with ${number}; leave void out`, {
      code: "nothing_activated",
    });
  if (invoiceById(tx, by.scope, invoiceId).voidedAt !== null)
    throw new DomainError("conflict", phrase`the invoice ${invoiceNumber} is void already; leave void out`, {
      code: "already_void",
    });
  voidInvoice(tx, by, { invoiceId, reason, endService: true }, { now });
}

interface Posting {
  id: number;
  amount: number;
  kind: "payment" | "transfer";
  subscriberId: number | null;
  staffId: number | null;
}

function takeBack(tx: Tx, by: Actor, { payment, reason }: Reversed, now: Seconds): void {
  const postings = tx.$client
    .query<Posting, [number]>(
      `SELECT id, amount, kind, subscriber_id AS subscriberId, staff_id AS staffId FROM ledger_entries
       WHERE payment_id = ? AND kind IN ('payment', 'transfer') ORDER BY id`,
    )
    .all(payment.id);
  for (const { id: aboutId, amount, subscriberId, staffId } of postings) {
    const account = subscriberId === null ? { staffId: staffId ?? 0 } : { subscriberId };
    const { ispId, id: paymentId } = payment;
    const entry = { account, ispId, amount: -amount, kind: "reversal", aboutId, paymentId, reason } as const;
    if (subscriberId === null) append(tx, entry, now, by);
    else book(tx, entry, now, by);
  }
}
