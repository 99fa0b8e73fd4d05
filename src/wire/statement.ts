import { type Static, Type } from "@sinclair/typebox";
import type { Statement } from "../domain/money/billing/statement.ts";
import { referenceOf } from "../domain/desk/incoming/reference.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { kindOf } from "../domain/money/wallets/entries.ts";
import { text } from "./kinds.ts";

const amount = Type.Number();

export const statementSchema = Type.Object({
  user_id: Type.Integer(),
  name: Type.String(),
  payment_reference: Type.String(),
  opening_balance: amount,
  entries: Type.Array(
    Type.Object({
      id: Type.Integer(),
      created_at: Type.String(),
      kind: Type.String(),
      amount,
      balance: amount,
      invoice_number: text,
      receipt_number: text,
      reason: text,
    }),
  ),
  closing_balance: amount,
  open_invoices: Type.Array(
    Type.Object({
      id: Type.Integer(),
      number: text,
      package_name: Type.String(),
      created_at: Type.String(),
      amount,
      open: amount,
    }),
  ),
  open_without_invoice: amount,
});

export const exampleStatement: Static<typeof statementSchema> = {
  ...{ user_id: 42, name: "Sam Doe", payment_reference: "0427", opening_balance: 0 },
  entries: [
    {
      ...{ id: 901, created_at: "2030-01-15 12:00:00", kind: "activation", amount: -22, balance: -22 },
      ...{ invoice_number: "I-2030-000123", receipt_number: null, reason: null },
    },
    {
      ...{ id: 902, created_at: "2030-01-15 12:05:00", kind: "payment", amount: 10, balance: -12 },
      ...{ invoice_number: null, receipt_number: "R-2030-000088", reason: null },
    },
  ],
  closing_balance: -12,
  open_invoices: [
    {
      ...{ id: 123, number: "I-2030-000123", package_name: "Home", created_at: "2030-01-15 12:00:00" },
      ...{ amount: 22, open: 12 },
    },
  ],
  open_without_invoice: 0,
};

/** The wallet of a subscriber between two times. */
export function shownStatement(statement: Statement): Static<typeof statementSchema> {
  return {
    user_id: statement.subscriberId,
    name: statement.name,
    payment_reference: referenceOf(statement.subscriberId),
    opening_balance: shownAmount(statement.opening),
    entries: statement.entries.map((entry) => ({
      id: entry.id,
      created_at: formatTime(entry.createdAt),
      kind: kindOf(entry),
      amount: shownAmount(entry.amount),
      balance: shownAmount(entry.balanceAfter),
      invoice_number: entry.invoice,
      receipt_number: entry.receipt,
      reason: entry.reason,
    })),
    closing_balance: shownAmount(statement.closing),
    open_invoices: statement.openInvoices.map((invoice) => ({
      id: invoice.id,
      number: invoice.number,
      package_name: invoice.packageName,
      created_at: formatTime(invoice.createdAt),
      amount: shownAmount(invoice.amount),
      open: shownAmount(invoice.open),
    })),
    open_without_invoice: shownAmount(statement.openWithoutInvoice),
  };
}
