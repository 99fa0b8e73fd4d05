import { type Actor, may } from "./actor.ts";

const moneyFlags = [
  "payment_take",
  "payment_view",
  "wallet_view",
  "invoice_view",
  "subscriber_activate",
  "report_view",
];

/** Whether balances are shown: to cashiers, sellers and bookkeepers, not to technicians. */
export function seesMoney(by: Actor): boolean {
  return moneyFlags.some((flag) => may(by, flag));
}
