import { type Db, type Tx, write } from "../../../../db/open.ts";
import { activate, type Activated } from "../../service/activation/activate.ts";
import { type OutstandingInvoice, openInvoices } from "../../money/billing/statement.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { requireAsSeen, type Seen, takePayment } from "./take.ts";

/** Decisions of the cashier. */
export interface Paying {
  readonly subscriberId: number;
  readonly amount: number;
  readonly method: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly packageId: number | null;
  /** As shown; changes are refused. */
  readonly seen: Seen;
  readonly sure: number | null;
}

export interface Paid {
  readonly paymentId: number | null;
  readonly activated: {
    readonly packageName: string;
    readonly expiresAt: Seconds;
    readonly invoiceId: number;
    readonly invoiceNumber: string;
  } | null;
  readonly settled: readonly Pick<OutstandingInvoice, "id" | "number">[];
}

/** Payment and activation in one transaction. Throws as `takePayment` and `activate`, and `invalid` without effect. */
export function payAtDesk(db: Db, by: Actor, paying: Paying, { now }: { now: Seconds }): Paid {
  permit(by, "payAtDesk");
  return write(db, (tx) => {
    const { subscriberId } = paying;
    subscriberById(tx, by.scope, subscriberId);
    const open = openInvoices(tx, subscriberId);
    const booked = paying.amount === 0 ? renew(tx, by, paying, now) : take(tx, by, paying, now);
    const left = new Set(openInvoices(tx, subscriberId).map(({ id }) => id));
    const settled = open.filter(({ id }) => !left.has(id)).map(({ id, number }) => ({ id, number }));
    return { ...booked, settled };
  });
}

function take(tx: Tx, by: Actor, { packageId, ...entry }: Paying, now: Seconds): Omit<Paid, "settled"> {
  const { payment, activation } = takePayment(
    tx,
    by,
    { ...entry, activates: packageId !== null, packageId },
    { now },
  );
  if (activation instanceof DomainError) throw activation;
  return { paymentId: payment.id, activated: activation && named(tx, activation) };
}

function renew(
  tx: Tx,
  by: Actor,
  { subscriberId, packageId, seen }: Paying,
  now: Seconds,
): Omit<Paid, "settled"> {
  if (packageId === null)
    throw new DomainError("invalid", phrase`nothing is handed over and nothing is renewed; enter an amount`, {
      fields: { amount: [phrase`must be an amount above 0`] },
    });
  requireAsSeen(tx, { subscriberId, packageId }, seen);
  return { paymentId: null, activated: named(tx, activate(tx, by, { subscriberId, packageId }, { now })) };
}

function named({ $client }: Tx, { expiresAt, invoiceId }: Activated): NonNullable<Paid["activated"]> {
  const invoice = $client
    .query<{ packageName: string; number: string | null }, [number]>(
      "SELECT package_name AS packageName, number FROM invoices WHERE id = ?",
    )
    .get(invoiceId);
  return {
    packageName: invoice?.packageName ?? "",
    expiresAt,
    invoiceId,
    invoiceNumber: invoice?.number ?? "",
  };
}
