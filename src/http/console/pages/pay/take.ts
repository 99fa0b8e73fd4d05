import type { Db } from "../../../../../db/open.ts";
import { balanceOf } from "../../../../domain/core/amounts/balance.ts";
import { type ChangeApplied, saleApplied } from "../../../../domain/service/control/apply-change.ts";
import type { ControlNeeds } from "../../../../domain/service/control/disconnect.ts";
import { paperOfPayment } from "../../../../domain/desk/papers/paper.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { findPayment } from "../../../../domain/money/payments/find.ts";
import { type Paid, payAtDesk, type Paying } from "../../../../domain/desk/payments/pay.ts";
import { requireTaking } from "../../../../domain/desk/payments/take.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import type { Actor } from "../../../../domain/core/actor/actor.ts";
import { subscriberById } from "../../../../domain/goods/subscribers/find.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import type { Done } from "./done.tsx";

const PATH = "/console/subscribers/pay";

/** As `payAtDesk`, once for the key of its form: a double press, or a form that is sent again, gets the first answer. */
export function payOnce(db: Db, by: Actor, key: string, paying: Paying, { now }: { now: Seconds }): Paid {
  const { seen, sure: _, ...given } = paying;
  return once(db, by, { path: PATH, key, input: { ...given, ...seen } }, { now }, (tx) => {
    requireTaking(tx, by, { subscriberId: paying.subscriberId, activates: paying.packageId !== null });
    return () => payAtDesk(tx, by, paying, { now });
  });
}

/** Milliseconds that somebody waits for a router's answer; it is asked on after that. */
const PATIENCE = 4000;

/** What the router of an open session answers to what was activated; `late` where it takes too long. */
export async function answerOf(
  db: Db,
  sale: { subscriberId: number; invoiceId: number },
  needs: ControlNeeds,
  late: string,
): Promise<ChangeApplied> {
  const later = Bun.sleep(PATIENCE).then(() => ({ words: late, isLeft: true }));
  return Promise.race([saleApplied(db, sale, needs), later]);
}

/** All that is said of it. */
export function doneOf(
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
    paper: payment && paperOfPayment(db, payment),
    currency: setting(db, "currency", ispId),
    balance: balanceOf(db, { subscriberId }),
    settled: paid.settled,
    activated: paid.activated,
    ...came,
  };
}
