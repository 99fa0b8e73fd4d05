import { errorCode } from "./error-code.ts";
import { type Static, Type } from "@sinclair/typebox";
import type { Activated } from "../domain/service/activation/activate.ts";
import type { Printout } from "../domain/desk/printouts/printout.ts";
import { formatMinor } from "../domain/core/amounts/money.ts";
import type { Payment } from "../domain/money/payments/find.ts";
import { activationSchema, exampleActivation, activationToJson } from "./activation.ts";
import { nullable, oneOf } from "./kinds.ts";
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

/** A payment or refund with its receipt number; `user_id` or `staff_id` is the wallet's owner. */
export const {
  schema: paymentSchema,
  example: examplePayment,
  toJson: paymentToJson,
} = declareRecord<Payment>()({
  id: { kind: "whole", example: 96 },
  number: { kind: "words", example: "R-2030-000096" },
  kind: { shape: oneOf("payment", "refund"), example: "payment" },
  isp_id: { kind: "whole", example: 1 },
  branch_id: { kind: "whole", of: ({ branchId }) => branchId ?? 0, example: 0 },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: 42 },
  staff_id: { kind: "whole", isNullable: true, example: null },
  username: { kind: "words", of: "payerUsername", example: "sam" },
  name: { kind: "words", of: "payerName", example: "Sam Doe" },
  amount: { kind: "money", example: 22 },
  currency: { kind: "words", example: "USD" },
  method: { kind: "words", example: "cash" },
  reference: { kind: "words", isNullable: true, example: null },
  note: { kind: "words", isNullable: true, example: null },
  taken_by: { kind: "whole", isNullable: true, example: 4 },
  taken_by_name: { kind: "words", of: ({ takerName, actor }) => takerName ?? actor ?? "", example: "Mia" },
  reseller_id: { kind: "whole", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  invoice_id: { kind: "whole", isNullable: true, example: 118 },
  invoice_number: { kind: "words", isNullable: true, example: "I-2030-000118" },
  closing_id: { kind: "whole", isNullable: true, example: null },
  reversed_at: { kind: "moment", isNullable: true, example: null },
  reversed_by: { kind: "whole", isNullable: true, example: null },
  reversal_reason: { kind: "words", isNullable: true, example: null },
});

export const printedPaymentSchema = Type.Object({
  ...paymentSchema.properties,
  print: Type.Object({
    issuer: issuerSchema,
    paid_by: addresseeSchema,
    total: money,
    balance_after: money,
  }),
});

/** What a payment activated, with the status that the call of its own answers. */
const activatedSchema = Type.Object(
  { status: Type.Literal(200), ...Type.Omit(activationSchema, ["note"]).properties },
  { title: "ActivatedByPayment" },
);
const activationOutcome = Type.Union([
  activatedSchema,
  Type.Object(
    {
      status: Type.Integer(),
      error: Type.String(),
      code: errorCode,
      retry_after: Type.Optional(Type.Integer()),
    },
    { title: "NotActivatedByPayment" },
  ),
]);

const booked = {
  success: Type.String(),
  payment: printedPaymentSchema,
  balance: money,
};
/** What happened to an open session, where this changed its service. */
const session = Type.Optional(Type.String());
export const bookedSchema = Type.Object(booked);
export const reversedSchema = Type.Object({ ...booked, session });
export const takenSchema = Type.Object({ ...booked, activation: nullable(activationOutcome), session });

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

export function printedPayment(
  payment: Payment,
  { issuer, addressee, balance }: Printout & { balance: number },
): Static<typeof printedPaymentSchema> {
  return {
    ...paymentToJson(payment),
    print: {
      issuer: issuerToJson(issuer),
      paid_by: addresseeToJson(addressee),
      total: formatMinor(payment.amount),
      balance_after: formatMinor(balance),
    },
  };
}

/** What a payment activated; an open session is changed by it, so there is nothing to note. */
export function outcomeToJson(activated: Activated): Static<typeof activatedSchema> {
  const { note: _note, ...activation } = activationToJson(activated);
  return { status: 200, ...activation };
}
