import { Type } from "@sinclair/typebox";
import type { OutstandingInvoice, Statement, StatementEntry } from "../domain/money/billing/statement.ts";
import { makeReference } from "../domain/desk/incoming/reference.ts";
import { visibleKind } from "../domain/money/wallets/entries.ts";
import { declareRecord } from "./record.ts";

const entry = declareRecord<StatementEntry>()({
  id: { kind: "whole", example: 901 },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
  kind: { kind: "words", of: visibleKind, example: "activation" },
  amount: { kind: "money", example: -22 },
  balance: { kind: "money", of: "balanceAfter", example: -22 },
  invoice_number: { kind: "words", isNullable: true, of: "invoice", example: "I-2030-000123" },
  receipt_number: { kind: "words", isNullable: true, of: "receipt", example: null },
  reason: { kind: "words", isNullable: true, example: null },
});

const payment = {
  id: 902,
  created_at: "2030-01-15 12:05:00",
  kind: "payment",
  amount: 10,
  balance: -12,
  invoice_number: null,
  receipt_number: "R-2030-000088",
  reason: null,
};

const openInvoice = declareRecord<OutstandingInvoice>()({
  id: { kind: "whole", example: 123 },
  number: { kind: "words", isNullable: true, example: "I-2030-000123" },
  package_name: { kind: "words", example: "Home" },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
  amount: { kind: "money", example: 22 },
  open: { kind: "money", example: 12 },
});

export const {
  schema: statementSchema,
  example: exampleStatement,
  toJson: statementToJson,
} = declareRecord<Statement>()({
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  name: { kind: "words", example: "Sam Doe" },
  payment_reference: {
    kind: "words",
    of: ({ subscriberId }) => makeReference(subscriberId),
    example: "0427",
  },
  opening_balance: { kind: "money", of: "opening", example: 0 },
  entries: {
    shape: Type.Array(entry.schema),
    of: ({ entries }) => entries.map(entry.toJson),
    example: [entry.example, payment],
  },
  closing_balance: { kind: "money", of: "closing", example: -12 },
  open_invoices: {
    shape: Type.Array(openInvoice.schema),
    of: ({ openInvoices }) => openInvoices.map(openInvoice.toJson),
    example: [openInvoice.example],
  },
  open_without_invoice: { kind: "money", example: 0 },
});
