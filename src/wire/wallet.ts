import { type Static, Type } from "@sinclair/typebox";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { kindOf, shownKinds, type WalletEntry } from "../domain/money/wallets/entries.ts";
import { nullable, text } from "./kinds.ts";

const id = nullable(Type.Integer());

export const entrySchema = Type.Object({
  id: Type.Integer(),
  created_at: Type.String(),
  kind: Type.Union(shownKinds.map((kind) => Type.Literal(kind))),
  amount: Type.Number(),
  balance_after: Type.Number(),
  user_id: id,
  staff_id: id,
  invoice_id: id,
  invoice_number: text,
  payment_id: id,
  receipt_number: text,
  about_id: id,
  reason: text,
  acting_staff_id: id,
  acting_name: Type.String(),
});

export const exampleEntry = {
  id: 301,
  created_at: "2030-01-31 12:00:00",
  kind: "payment" as const,
  amount: 22,
  balance_after: 22,
  user_id: 42,
  staff_id: null,
  invoice_id: null,
  invoice_number: null,
  payment_id: 96,
  receipt_number: "R-2030-000096",
  about_id: null,
  reason: null,
  acting_staff_id: 4,
  acting_name: "Mia",
};

/** An entry of a wallet. */
export function shownEntry(entry: WalletEntry): Static<typeof entrySchema> {
  return {
    id: entry.id,
    created_at: formatTime(entry.createdAt),
    kind: kindOf(entry),
    amount: shownAmount(entry.amount),
    balance_after: shownAmount(entry.balanceAfter),
    user_id: entry.subscriberId,
    staff_id: entry.staffId,
    invoice_id: entry.invoiceId,
    invoice_number: entry.invoiceNumber,
    payment_id: entry.paymentId,
    receipt_number: entry.paymentNumber,
    about_id: entry.aboutId,
    reason: entry.reason,
    acting_staff_id: entry.actingStaffId,
    acting_name: entry.actingName ?? entry.actor ?? "",
  };
}
