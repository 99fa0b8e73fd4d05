import { type Static, Type } from "@sinclair/typebox";
import type { CreditNote, Invoice } from "../domain/money/invoices/find.ts";
import type { Paper } from "../domain/desk/papers/paper.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";
import {
  addresseeSchema,
  exampleAddressee,
  exampleIssuer,
  issuerSchema,
  shownAddressee,
  shownIssuer,
} from "./paper.ts";

const state = Type.Union([Type.Literal("paid"), Type.Literal("open"), Type.Literal("void")]);

const fields = {
  id: Type.Integer(),
  number: text,
  isp_id: Type.Integer(),
  branch_id: Type.Integer(),
  user_id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  package_id: Type.Integer(),
  package_name: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  net: Type.Number(),
  tax_name: text,
  tax_percent: Type.Number(),
  tax: Type.Number(),
  state,
  open: Type.Number(),
  credited: Type.Number(),
  period_start: Type.String(),
  period_end: Type.String(),
  created_at: Type.String(),
  paid_at: text,
  payment_id: nullable(Type.Integer()),
  seller_id: nullable(Type.Integer()),
  commission: Type.Number(),
  voided_at: text,
  void_reason: text,
};

export const invoiceSchema = Type.Object(fields);

const lineSchema = Type.Object({
  description: Type.String(),
  period_start: text,
  period_end: text,
  amount: Type.Number(),
});

export const printedInvoiceSchema = Type.Object({
  ...fields,
  credit_notes: Type.Array(
    Type.Object({
      number: Type.String(),
      amount: Type.Number(),
      tax: Type.Number(),
      created_at: Type.String(),
    }),
  ),
  print: Type.Object({
    issuer: issuerSchema,
    billed_to: addresseeSchema,
    lines: Type.Array(lineSchema),
    total: Type.Number(),
  }),
});

export const exampleInvoice = {
  id: 118,
  number: "I-2030-000118",
  isp_id: 1,
  branch_id: 0,
  user_id: 42,
  username: "sam",
  name: "Sam Doe",
  package_id: 7,
  package_name: "Home 10",
  amount: 22,
  currency: "USD",
  net: 18.64,
  tax_name: "VAT",
  tax_percent: 18,
  tax: 3.36,
  state: "paid" as const,
  open: 0,
  credited: 0,
  period_start: "2030-01-31 12:00:00",
  period_end: "2030-02-28 12:00:00",
  created_at: "2030-01-31 12:00:00",
  paid_at: "2030-01-31 12:00:00",
  payment_id: 96,
  seller_id: 2,
  commission: 4,
  voided_at: null,
  void_reason: null,
};

const exampleLine = {
  description: "Home 10",
  period_start: "2030-01-31 12:00:00",
  period_end: "2030-02-28 12:00:00",
  amount: 22,
};

export const examplePrintedInvoice = {
  ...exampleInvoice,
  credit_notes: [],
  print: { issuer: exampleIssuer, billed_to: exampleAddressee, lines: [exampleLine], total: 22 },
};

const timeOf = (seconds: number | null) => (seconds === null ? null : formatTime(seconds));

/** An invoice; `state` void where it is no charge any more. */
export function shownInvoice(invoice: Invoice): Static<typeof invoiceSchema> {
  const { amount, tax, voidedAt, paidAt } = invoice;
  return {
    id: invoice.id,
    number: invoice.number,
    isp_id: invoice.ispId,
    branch_id: invoice.branchId ?? 0,
    user_id: invoice.subscriberId,
    username: invoice.username,
    name: invoice.name,
    package_id: invoice.packageId,
    package_name: invoice.packageName,
    amount: shownAmount(amount),
    currency: invoice.currency,
    net: shownAmount(amount - tax),
    tax_name: invoice.taxName,
    tax_percent: invoice.taxPercent / 100,
    tax: shownAmount(tax),
    state: voidedAt !== null ? "void" : paidAt === null ? "open" : "paid",
    open: shownAmount(invoice.open),
    credited: shownAmount(invoice.credited),
    period_start: formatTime(invoice.periodStart),
    period_end: formatTime(invoice.periodEnd),
    created_at: formatTime(invoice.createdAt),
    paid_at: timeOf(paidAt),
    payment_id: invoice.paymentId,
    seller_id: invoice.sellerId,
    commission: shownAmount(invoice.commission),
    voided_at: timeOf(voidedAt),
    void_reason: invoice.voidReason,
  };
}

/** Everything that an invoice prints. */
export function printedInvoice(
  { invoice, notes }: { invoice: Invoice; notes: readonly CreditNote[] },
  { issuer, addressee }: Paper,
): Static<typeof printedInvoiceSchema> {
  return {
    ...shownInvoice(invoice),
    credit_notes: notes.map(({ number, amount, tax, createdAt }) => ({
      number,
      amount: shownAmount(amount),
      tax: shownAmount(tax),
      created_at: formatTime(createdAt),
    })),
    print: {
      issuer: shownIssuer(issuer),
      billed_to: shownAddressee(addressee),
      lines: [lineOf(invoice)],
      total: shownAmount(invoice.amount),
    },
  };
}

/** What was sold. */
function lineOf({
  packageName,
  periodStart,
  periodEnd,
  amount,
}: Pick<Invoice, "packageName" | "periodStart" | "periodEnd" | "amount">): Static<typeof lineSchema> {
  return {
    description: packageName,
    period_start: formatTime(periodStart),
    period_end: formatTime(periodEnd),
    amount: shownAmount(amount),
  };
}
