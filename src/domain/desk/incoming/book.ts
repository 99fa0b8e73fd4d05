import { type Tx, write } from "../../../../db/open.ts";
import { invoices, payments } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { type Activated, sell } from "../../service/activation/activate.ts";
import { findService, type Service } from "../../service/activation/plan.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { auditPayment, recordPayment } from "../../money/payments/record.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { setting } from "../../core/settings/settings.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

export interface Booking {
  readonly subscriberId: number;
  readonly ispId: number;
  readonly amount: number;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
}

export interface BookedPayment {
  readonly subscriberId: number;
  readonly paymentId: number;
  readonly number: string;
  /** Minor units, afterwards. */
  readonly balance: number;
  /** What was renewed, or why a service that ended was not; null: it was not due. */
  readonly renewal: Activated | string | null;
  /** Why nothing was renewed, also where that was not due; null: it was. */
  readonly notRenewed: string | null;
}

/**
 * Books an unattended payment, and renews an ended or used-up service that the wallet covers, or begins the first one where the setting
 * says so and the wallet covers it, postpaid or not; automatic renewals wait for their time. Throws as `recordPayment`.
 */
export function bookIncoming(tx: Tx, by: Actor, booking: Booking, now: Seconds): BookedPayment {
  const { subscriberId, amount, method, reference, note } = booking;
  const { ispId, branchId, name, packageId } = subscriberById(tx, by.scope, subscriberId);
  const account = { subscriberId };
  const payer = { account, ispId, branchId, name, packageId };
  const handed = { kind: "payment", amount, method, reference, note } as const;
  const recorded = recordPayment(tx, by, payer, handed, now);
  auditPayment(tx, by, now, { payer, handed, recorded });
  const { id: paymentId, number } = recorded;
  const service = findService(tx, subscriberId);
  const notDue = notDueFor(tx, { service, ispId }, now);
  const sale = { subscriberId, packageId, paymentId, isFirst: service === undefined };
  const renewal = notDue === null ? renew(tx, by, sale, now) : null;
  const notRenewed = typeof renewal === "string" ? renewal : notDue;
  return { subscriberId, paymentId, number, balance: readBalance(tx, account), renewal, notRenewed };
}

/** Why nothing is to be renewed; null: it is. */
function notDueFor(
  tx: Tx,
  { service, ispId }: { service: Service | undefined; ispId: number },
  now: Seconds,
): string | null {
  if (service) return isOver(service, now) ? null : `its service runs until ${formatTime(service.expiresAt)}`;
  if (setting(tx, "activate_on_payment", ispId)) return null;
  return "it was never activated, and the setting activate_on_payment does not let a payment do so";
}

/** Whether a service has ended, by time or by data. */
function isOver({ expiresAt, quotaTotal, quotaUsed, quotaExceeded }: Service, now: Seconds): boolean {
  return expiresAt <= now || (quotaTotal > 0 && quotaUsed >= quotaTotal && quotaExceeded === "reject");
}

function renew(
  tx: Tx,
  by: Actor,
  {
    subscriberId,
    packageId,
    paymentId,
    isFirst,
  }: { subscriberId: number; packageId: number; paymentId: number; isFirst: boolean },
  now: Seconds,
): Activated | string {
  try {
    return write(tx, () => {
      const sold = sell(tx, by, { subscriberId, packageId }, { now, byItself: true, mustCover: isFirst });
      update(tx, invoices, { paymentId }, { id: sold.invoiceId });
      update(tx, payments, { invoiceId: sold.invoiceId }, { id: paymentId });
      return sold;
    });
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
