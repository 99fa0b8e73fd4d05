import { type Static, Type } from "@sinclair/typebox";
import type { Activated } from "../domain/service/activation/activate.ts";
import type { Paper } from "../domain/desk/papers/paper.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import type { Payment } from "../domain/money/payments/find.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { activationSchema, exampleActivation, shownActivation } from "./activation.ts";
import { nullable, text } from "./kinds.ts";
import {
  addresseeSchema,
  exampleAddressee,
  exampleIssuer,
  issuerSchema,
  shownAddressee,
  shownIssuer,
} from "./paper.ts";

const id = nullable(Type.Integer());

const fields = {
  id: Type.Integer(),
  number: Type.String(),
  kind: Type.Union([Type.Literal("payment"), Type.Literal("refund")]),
  isp_id: Type.Integer(),
  branch_id: Type.Integer(),
  user_id: id,
  staff_id: id,
  username: Type.String(),
  name: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  method: Type.String(),
  reference: text,
  note: text,
  taken_by: id,
  taken_by_name: Type.String(),
  reseller_id: id,
  created_at: Type.String(),
  invoice_id: id,
  invoice_number: text,
  closing_id: id,
  reversed_at: text,
  reversed_by: id,
  reversal_reason: text,
};

export const paymentSchema = Type.Object(fields);

export const printedPaymentSchema = Type.Object({
  ...fields,
  print: Type.Object({
    issuer: issuerSchema,
    paid_by: addresseeSchema,
    total: Type.Number(),
    balance_after: Type.Number(),
  }),
});

/** What was activated with a payment, with the status that the call of its own answers. */
const activatedSchema = Type.Object({
  status: Type.Literal(200),
  ...Type.Omit(activationSchema, ["note"]).properties,
});
const activationOutcome = Type.Union([
  activatedSchema,
  Type.Object({
    status: Type.Integer(),
    error: Type.String(),
    retry_after: Type.Optional(Type.Integer()),
  }),
]);

const booked = {
  success: Type.String(),
  payment: printedPaymentSchema,
  balance: Type.Number(),
};
/** What became of a session that was open, where the service is another one by it. */
const session = Type.Optional(Type.String());
export const bookedSchema = Type.Object(booked);
export const reversedSchema = Type.Object({ ...booked, session });
export const takenSchema = Type.Object({ ...booked, activation: nullable(activationOutcome), session });

export const examplePayment = {
  id: 96,
  number: "R-2030-000096",
  kind: "payment" as const,
  isp_id: 1,
  branch_id: 0,
  user_id: 42,
  staff_id: null,
  username: "sam",
  name: "Sam Doe",
  amount: 22,
  currency: "USD",
  method: "cash",
  reference: null,
  note: null,
  taken_by: 4,
  taken_by_name: "Mia",
  reseller_id: null,
  created_at: "2030-01-31 12:00:00",
  invoice_id: 118,
  invoice_number: "I-2030-000118",
  closing_id: null,
  reversed_at: null,
  reversed_by: null,
  reversal_reason: null,
};

export const examplePrintedPayment = {
  ...examplePayment,
  print: { issuer: exampleIssuer, paid_by: exampleAddressee, total: 22, balance_after: 22 },
};

const { note: _note, ...exampleSold } = exampleActivation;
const exampleOutcome = { status: 200 as const, ...exampleSold };

export const exampleTaken = {
  success: "Payment taken: receipt R-2030-000096.",
  payment: examplePrintedPayment,
  balance: 7,
  activation: exampleOutcome,
  session: "The open session has the current rate and end now.",
};

export const exampleReversed = {
  success: "Payment reversed: receipt R-2030-000096.",
  payment: {
    ...examplePrintedPayment,
    reversed_at: "2030-01-31 12:30:00",
    reversed_by: 1,
    reversal_reason: "paid for the neighbour",
  },
  balance: 0,
  session: "The session was ended, so that the next login gets the current service.",
};

export const exampleRefund = {
  success: "Money handed back: receipt R-2030-000097.",
  payment: {
    ...examplePrintedPayment,
    id: 97,
    number: "R-2030-000097",
    kind: "refund" as const,
    amount: 7,
    note: "moved away",
    invoice_id: null,
    invoice_number: null,
    print: { ...examplePrintedPayment.print, total: 7, balance_after: 0 },
  },
  balance: 0,
};

/** A payment or refund with its receipt number; `user_id` or `staff_id` says whose wallet. */
export function shownPayment(payment: Payment): Static<typeof paymentSchema> {
  const { reversedAt } = payment;
  return {
    id: payment.id,
    number: payment.number,
    kind: payment.kind,
    isp_id: payment.ispId,
    branch_id: payment.branchId ?? 0,
    user_id: payment.subscriberId,
    staff_id: payment.staffId,
    username: payment.payerUsername,
    name: payment.payerName,
    amount: shownAmount(payment.amount),
    currency: payment.currency,
    method: payment.method,
    reference: payment.reference,
    note: payment.note,
    taken_by: payment.takenBy,
    taken_by_name: payment.takerName ?? payment.actor ?? "",
    reseller_id: payment.resellerId,
    created_at: formatTime(payment.createdAt),
    invoice_id: payment.invoiceId,
    invoice_number: payment.invoiceNumber,
    closing_id: payment.closingId,
    reversed_at: reversedAt === null ? null : formatTime(reversedAt),
    reversed_by: payment.reversedBy,
    reversal_reason: payment.reversalReason,
  };
}

/** Everything that a receipt prints. */
export function printedPayment(
  payment: Payment,
  { issuer, addressee, balance }: Paper & { balance: number },
): Static<typeof printedPaymentSchema> {
  return {
    ...shownPayment(payment),
    print: {
      issuer: shownIssuer(issuer),
      paid_by: shownAddressee(addressee),
      total: shownAmount(payment.amount),
      balance_after: shownAmount(balance),
    },
  };
}

/** What was activated with a payment; an open session is told of it, so that there is nothing to note. */
export function shownOutcome(activated: Activated): Static<typeof activatedSchema> {
  const { note: _note, ...shown } = shownActivation(activated);
  return { status: 200, ...shown };
}
