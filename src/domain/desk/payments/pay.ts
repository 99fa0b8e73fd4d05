import { type Db, type Tx, write } from "../../../../db/open.ts";
import { activate, type Activated } from "../../service/activation/activate.ts";
import { type OutstandingInvoice, openInvoices } from "../../money/billing/statement.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { requireAsSeen, type Seen, takePayment } from "./take.ts";

/** What somebody decided at the desk. */
export interface Paying {
  readonly subscriberId: number;
  /** Minor units; 0: nothing is handed over, and what is activated is paid from the wallet or later. */
  readonly amount: number;
  readonly method: string;
  readonly reference: string | null;
  readonly note: string | null;
  /** null: nothing is activated. */
  readonly packageId: number | null;
  /** What the desk showed; where it is otherwise by now, nothing is done. */
  readonly seen: Seen;
  /** An amount that is far above what is usual, and wanted all the same. */
  readonly sure: number | null;
}

/** What was booked; written down so that it can be said again. */
export interface Paid {
  /** null: nothing was handed over. */
  readonly paymentId: number | null;
  readonly activated: {
    readonly packageName: string;
    readonly expiresAt: Seconds;
    readonly invoiceId: number;
    readonly invoiceNumber: string;
  } | null;
  /** The invoices that were open before, and are not any more. */
  readonly settled: readonly Pick<OutstandingInvoice, "id" | "number">[];
}

/**
 * Takes what is handed over and activates what was chosen, in one transaction, as the desk has shown it. Throws what `takePayment`
 * and `activate` throw, and `invalid` where it would do nothing.
 */
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
    throw new DomainError("invalid", "nothing is handed over and nothing is renewed; enter an amount", {
      fields: { amount: ["must be an amount above 0"] },
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
