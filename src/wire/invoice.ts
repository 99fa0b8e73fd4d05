import { type Static, Type } from "@sinclair/typebox";
import type { CreditNote, Invoice } from "../domain/money/invoices/find.ts";
import type { Printout } from "../domain/desk/printouts/printout.ts";
import { formatMinor } from "../domain/core/amounts/money.ts";
import { oneOf } from "./kinds.ts";
import {
  addresseeSchema,
  exampleAddressee,
  exampleIssuer,
  issuerSchema,
  addresseeToJson,
  issuerToJson,
} from "./paper.ts";
import { declareRecord } from "./record.ts";
import { money } from "./money.ts";

/** An invoice; `state` is void when it is no charge any more. */
export const {
  schema: invoiceSchema,
  example: exampleInvoice,
  toJson: invoiceToJson,
} = declareRecord<Invoice>()({
  id: { kind: "whole", example: 118 },
  number: { kind: "words", isNullable: true, example: "I-2030-000118" },
  isp_id: { kind: "whole", example: 1 },
  branch_id: { kind: "whole", of: ({ branchId }) => branchId ?? 0, example: 0 },
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  username: { kind: "words", example: "sam" },
  name: { kind: "words", example: "Sam Doe" },
  package_id: { kind: "whole", example: 7 },
  package_name: { kind: "words", example: "Home 10" },
  amount: { kind: "money", example: 22 },
  currency: { kind: "words", example: "USD" },
  net: { kind: "money", of: ({ amount, tax }) => amount - tax, example: 18.64 },
  tax_name: { kind: "words", isNullable: true, example: "VAT" },
  tax_percent: { kind: "real", of: ({ taxPercent }) => taxPercent / 100, example: 18 },
  tax: { kind: "money", example: 3.36 },
  state: { shape: oneOf("paid", "open", "void"), of: invoiceState, example: "paid" },
  open: { kind: "money", example: 0 },
  credited: { kind: "money", example: 0 },
  period_start: { kind: "moment", example: "2030-01-31 12:00:00" },
  period_end: { kind: "moment", example: "2030-02-28 12:00:00" },
  created_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  paid_at: { kind: "moment", isNullable: true, example: "2030-01-31 12:00:00" },
  payment_id: { kind: "whole", isNullable: true, example: 96 },
  seller_id: { kind: "whole", isNullable: true, example: 2 },
  commission: { kind: "money", example: 4 },
  voided_at: { kind: "moment", isNullable: true, example: null },
  void_reason: { kind: "words", isNullable: true, example: null },
});

function invoiceState({ voidedAt, paidAt }: Invoice) {
  if (voidedAt !== null) return "void";
  return paidAt === null ? "open" : "paid";
}

const line = declareRecord<Invoice>()({
  description: { kind: "words", of: "packageName", example: "Home 10" },
  period_start: { kind: "moment", isNullable: true, example: "2030-01-31 12:00:00" },
  period_end: { kind: "moment", isNullable: true, example: "2030-02-28 12:00:00" },
  amount: { kind: "money", example: 22 },
});

const creditNote = declareRecord<CreditNote>()({
  number: { kind: "words", example: "I-2030-000119" },
  amount: { kind: "money", example: 22 },
  tax: { kind: "money", example: 3.36 },
  created_at: { kind: "moment", example: "2030-01-31 12:00:00" },
});

export const printedInvoiceSchema = Type.Object({
  ...invoiceSchema.properties,
  credit_notes: Type.Array(creditNote.schema),
  print: Type.Object({
    issuer: issuerSchema,
    billed_to: addresseeSchema,
    lines: Type.Array(line.schema),
    total: money,
  }),
});

export const examplePrintedInvoice = {
  ...exampleInvoice,
  credit_notes: [],
  print: { issuer: exampleIssuer, billed_to: exampleAddressee, lines: [line.example], total: 22 },
};

export function printedInvoice(
  { invoice, notes }: { invoice: Invoice; notes: readonly CreditNote[] },
  { issuer, addressee }: Printout,
): Static<typeof printedInvoiceSchema> {
  return {
    ...invoiceToJson(invoice),
    credit_notes: notes.map(creditNote.toJson),
    print: {
      issuer: issuerToJson(issuer),
      billed_to: addresseeToJson(addressee),
      lines: [line.toJson(invoice)],
      total: formatMinor(invoice.amount),
    },
  };
}
