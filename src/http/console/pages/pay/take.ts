import type { Db } from "../../../../../db/open.ts";
import { readBalance } from "../../../../domain/core/amounts/balance.ts";
import { paymentPrintout } from "../../../../domain/desk/printouts/printout.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { findPayment } from "../../../../domain/money/payments/find.ts";
import { type Paid, payAtDesk, type Paying } from "../../../../domain/desk/payments/pay.ts";
import { requirePaymentInput } from "../../../../domain/desk/payments/take.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import type { Actor } from "../../../../domain/core/actor/actor.ts";
import { subscriberById } from "../../../../domain/goods/subscribers/find.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import type { Done } from "./done.tsx";

const PATH = "/console/subscribers/pay";

/** Pays as `payAtDesk`, once for the form's key: a double press gets the first answer. */
export function payOnce(db: Db, by: Actor, key: string, paying: Paying, { now }: { now: Seconds }): Paid {
  const { seen, sure: _, ...values } = paying;
  return once(db, by, { path: PATH, key, input: { ...values, ...seen } }, { now }, (tx) => {
    requirePaymentInput(tx, by, { subscriberId: paying.subscriberId, activates: paying.packageId !== null });
    return () => payAtDesk(tx, by, paying, { now });
  });
}

export function readDone(
  db: Db,
  by: Actor,
  {
    subscriberId,
    paid,
    ...came
  }: { subscriberId: number; paid: Paid } & Pick<Done, "session" | "isOnlyHere">,
): Done {
  const { ispId } = subscriberById(db, by.scope, subscriberId);
  const payment = paid.paymentId === null ? null : findPayment(db, by.scope, paid.paymentId);
  return {
    payment,
    printout: payment && paymentPrintout(db, payment),
    currency: setting(db, "currency", ispId),
    balance: readBalance(db, { subscriberId }),
    settled: paid.settled,
    activated: paid.activated,
    ...came,
  };
}
