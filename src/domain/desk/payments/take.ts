import { type Db, type Tx, write } from "../../../../db/open.ts";
import { invoices, payments } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { type Activated, sell } from "../../service/activation/activate.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { staffById } from "../../people/staff/sign-in.ts";
import type { Seconds } from "../../core/time/time.ts";
import { findPayment, type Payment } from "../../money/payments/find.ts";
import { type Payer, requirePayer, type WalletName } from "../../money/payments/payer.ts";
import { auditPayment, recordPayment } from "../../money/payments/record.ts";
import { requireUsual } from "./unusual.ts";

export interface PaymentInput extends WalletName {
  readonly amount: number;
  readonly method: string;
  readonly reference?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly activates?: boolean | undefined;
  readonly packageId?: number | null | undefined;
  readonly keeps?: boolean | undefined;
  /** As shown; changes are refused. */
  readonly seen?: Seen | undefined;
  /** Refuses unusual amounts by `UnusualAmount` unless confirmed. Absent, for programs: no check. */
  readonly sure?: number | null | undefined;
}

/** Minor units. */
export interface Seen {
  readonly balance: number;
  readonly price: number | null;
}

export interface PaymentResult {
  readonly payment: Payment;
  readonly balance: number;
  /** Or its refusal; null: none. */
  readonly activation: Activated | DomainError | null;
}

/**
 * Payment or top-up, settlement, and activation. Throws `not_found`, `invalid`, `forbidden`, `conflict`, `UnusualAmount`; as
 * `activate` unless `keeps`; `refused` for a Reseller below its limit.
 */
export function takePayment(
  db: Db,
  by: Actor,
  input: PaymentInput,
  { now }: { now: Seconds },
): PaymentResult {
  permit(by, "takePayment");
  return write(db, (tx) => {
    const payer = requirePaymentInput(tx, by, input);
    if (input.seen && input.subscriberId) {
      const packageId = input.activates ? (input.packageId ?? payer.packageId) : null;
      requireAsSeen(tx, { subscriberId: input.subscriberId, packageId }, input.seen);
    }
    const { amount, method, reference = null, note = null, sure } = input;
    if (sure !== undefined) {
      const packageId = input.packageId ?? payer.packageId;
      requireUsual(tx, payer, { amount, packageId, balance: readBalance(tx, payer.account), sure }, now);
    }
    const handed = { kind: "payment", amount, method, reference, note } as const;
    const recorded = recordPayment(tx, by, payer, handed, now);
    auditPayment(tx, by, now, { payer, handed, recorded });
    const activation = input.activates ? activated(tx, by, { payer, input, recorded }, now) : null;
    requireLimit(tx, by);
    const payment = findPayment(tx, by.scope, recorded.id);
    return { payment, balance: readBalance(tx, payer.account), activation };
  });
}

/** Throws as `requirePayer`, and `invalid`. */
export function requirePaymentInput(
  db: Db,
  by: Actor,
  input: WalletName & Pick<PaymentInput, "activates">,
): Payer {
  const payer = requirePayer(db, by, input);
  if (!input.activates) return payer;
  permit(by, "activate");
  if (payer.packageId !== null) return payer;
  throw new DomainError("invalid", phrase`only a subscriber can be activated; leave activate out`, {
    fields: { activate: [phrase`must be 0 with staff_id`] },
  });
}

/** Throws `conflict`. */
export function requireAsSeen(
  tx: Tx,
  { subscriberId, packageId }: { subscriberId: number; packageId: number | null },
  seen: Seen,
): void {
  const balance = readBalance(tx, { subscriberId });
  if (balance !== seen.balance)
    throw new DomainError(
      "conflict",
      phrase`the wallet is at ${formatAmount(balance)} by now, it was at ${formatAmount(seen.balance)}; nothing was done: look at the sums and press again`,
      { code: "stale" },
    );
  if (packageId !== null) requirePriceAsSeen(tx, { subscriberId, packageId }, seen.price);
}

/** Throws `conflict` for a changed price. */
export function requirePriceAsSeen(
  tx: Tx,
  { subscriberId, packageId }: { subscriberId: number; packageId: number },
  seen: number | null,
): void {
  const sold = tx.$client
    .query<{ name: string; price: number }, [number, number]>(
      `SELECT p.name, p.price FROM packages p JOIN subscribers s ON s.isp_id = p.isp_id WHERE p.id = ? AND s.id = ?`,
    )
    .get(packageId, subscriberId);
  if (!sold || sold.price === seen) return;
  const was = seen === null ? "" : phrase`, it was ${formatAmount(seen)}`;
  throw new DomainError(
    "conflict",
    phrase`${sold.name} costs ${formatAmount(sold.price)} by now${was}; nothing was done: look at the sums and press again`,
    { code: "stale" },
  );
}

interface Booking {
  payer: Payer;
  input: PaymentInput;
  recorded: { readonly id: number };
}

function activated(
  tx: Tx,
  by: Actor,
  { payer, input, recorded }: Booking,
  now: Seconds,
): Activated | DomainError {
  const packageId = input.packageId ?? payer.packageId ?? 0;
  try {
    return write(tx, () => {
      const sold = sell(tx, by, { subscriberId: input.subscriberId ?? 0, packageId }, { now });
      update(tx, invoices, { paymentId: recorded.id }, { id: sold.invoiceId });
      update(tx, payments, { invoiceId: sold.invoiceId }, { id: recorded.id });
      return sold;
    });
  } catch (error) {
    if (input.keeps && error instanceof DomainError) return error;
    throw error;
  }
}

function requireLimit(tx: Tx, { scope: { salespersonId } }: Actor): void {
  if (salespersonId === null) return;
  const balance = readBalance(tx, { staffId: salespersonId });
  const limit = staffById(tx, salespersonId)?.creditLimit ?? 0;
  if (balance >= -limit) return;
  throw new DomainError(
    "refused",
    phrase`your wallet would be at ${formatAmount(balance)}, and may not fall below ${formatAmount(-limit)}; pay into it first`,
    { code: "wallet_limit_reached" },
  );
}
