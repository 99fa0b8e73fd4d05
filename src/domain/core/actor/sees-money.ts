import { type Actor, may } from "./actor.ts";

const moneyFlags = [
  "payment_take",
  "payment_view",
  "wallet_view",
  "invoice_view",
  "subscriber_activate",
  "report_view",
];

/** Whether somebody is shown what a subscriber's wallet holds: who takes payments, sells, or keeps the books; a technician is not. */
export function seesMoney(by: Actor): boolean {
  return moneyFlags.some((flag) => may(by, flag));
}
