import { applyChange, applySale } from "../../domain/service/control/apply-change.ts";
import type { Db } from "../../../db/open.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { amountAboveZero, flag, from, id, oneOf, text, to } from "../../domain/core/fields/fields.ts";
import { paymentPrintout } from "../../domain/desk/printouts/printout.ts";
import { formatMinor } from "../../domain/core/amounts/money.ts";
import { changedPayments, listPayments, paymentById } from "../../domain/money/payments/find.ts";
import { requirePayer } from "../../domain/money/payments/payer.ts";
import { type Booked, refundPayment } from "../../domain/desk/payments/refund.ts";
import { requireReversing, reversePayment } from "../../domain/desk/payments/reverse.ts";
import { requirePaymentInput, type PaymentResult, takePayment } from "../../domain/desk/payments/take.ts";
import {
  bookedSchema,
  examplePayment,
  examplePrintedPayment,
  exampleRefund,
  exampleReversed,
  exampleTaken,
  paymentSchema,
  printedPayment,
  printedPaymentSchema,
  reversedSchema,
  outcomeToJson,
  paymentToJson,
  takenSchema,
} from "../../wire/payment.ts";
import { CHANGES, followed, withChanges } from "../changes.ts";
import { httpStatus } from "../errors.ts";
import { findFamily } from "../families.ts";
import { managementForm, noForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/payment";
const tags: [string] = ["Money"];
const method = text(20);
const reference = text(100);
const note = text(500, { lines: true });
const reason = text(500, { lines: true });
const handed = { user_id: id, staff_id: id, amount: amountAboveZero, method, reference, note };

const toWallet = ({
  user_id,
  staff_id,
}: {
  user_id?: number | null | undefined;
  staff_id?: number | null | undefined;
}) => ({ subscriberId: user_id, staffId: staff_id });

const take = managed({
  method: "POST",
  path: `${PREFIX}/take`,
  operation: "takePayment",
  operationId: "takePayment",
  tags,
  summary: "Take a payment into the wallet of a subscriber, and activate with it",
  description:
    "Settles what it covers, the oldest charge first, and gives it a receipt number; `payment.print` is what the receipt says. What a Reseller takes stays with the Reseller, whose own wallet is debited by as much. With `activate` 1 the package is activated in the same transaction, which needs the permission `subscriber_activate` too; where that is refused nothing is booked, unless `keep` is 1. An open session is given what was activated: its rate and its end without a redial, where that is possible. `staff_id` in place of `user_id` tops up a Reseller's wallet, which needs `wallet_adjust`.",
  form: managementForm({ ...handed, activate: flag, package_id: id, keep: flag }, ["amount", "method"], {
    user_id: 42,
    amount: 22,
    method: "cash",
    activate: 1,
  }),
  success: {
    description:
      "Taken. `activation` is what was activated with it, or why that was refused (`keep`); `session` says what became of an open session then.",
    schema: takenSchema,
    example: exampleTaken,
  },
  refusals: {
    404: "There is no such subscriber, Reseller or package.",
    409: "The reference was taken already; the answer names its receipt.",
    422: "The Reseller's own wallet would fall below its limit, or the activation is refused.",
    429: "The subscriber was activated less than two minutes ago.",
  },
  once: ({ db, by, values: value }) =>
    void requirePaymentInput(db, by, { ...toWallet(value), activates: value.activate === 1 }),
  run: ({ db, by, values: value, now }) => {
    const { amount, method, reference, note, activate, package_id: packageId, keep } = value;
    const choice = { activates: activate === 1, packageId, keeps: keep === 1 };
    const payment = { ...toWallet(value), amount, method, reference, note, ...choice };
    return taken(db, takePayment(db, by, payment, { now }));
  },
  after: async ({ db, clock, routers }, answer) => {
    const { user_id: subscriberId, invoice_id: invoiceId } = answer.payment;
    if (subscriberId === null || invoiceId === null) return answer;
    return { ...answer, session: await applySale(db, { subscriberId, invoiceId }, { clock, routers }) };
  },
});

function taken(db: Db, { activation, ...booked }: PaymentResult) {
  const { payment } = booked;
  const json = toAnswer(db, `Payment taken: receipt ${payment.number}.`, booked);
  if (activation === null) return { ...json, activation };
  if (!(activation instanceof DomainError)) return { ...json, activation: outcomeToJson(activation) };
  const { kind, code, message: error, retryAfter } = activation;
  const status = httpStatus(kind, findFamily("/api/v1/activation/activate"));
  return {
    ...json,
    activation: { status, error, code, ...(retryAfter !== undefined && { retry_after: retryAfter }) },
  };
}

/** The answer with everything on the receipt: the cashier need not see other payments. */
const toAnswer = (db: Db, success: string, { payment, balance }: Booked) => ({
  success,
  payment: printedPayment(payment, paymentPrintout(db, payment)),
  balance: formatMinor(balance),
});

const list = logged({
  path: `${PREFIX}/list`,
  operation: "listPayments",
  operationId: "listPayments",
  tags,
  summary: "List payments and refunds",
  description: CHANGES(`${PREFIX}/changes`),
  filters: {
    user_id: id,
    staff_id: id,
    taken_by: id,
    kind: oneOf("payment", "refund"),
    method,
    reference,
    number: text(40),
    reversed: flag,
    from,
    to,
  },
  record: paymentSchema,
  example: examplePayment,
  page: ({ db, by, values: value }, paging) => {
    const { taken_by: takenBy, reversed, ...filters } = value;
    const isReversed = typeof reversed === "number" ? reversed === 1 : undefined;
    const matching = { ...filters, ...toWallet(value), takenBy, isReversed };
    return listPayments(db, by, matching, paging).map(paymentToJson);
  },
});

const changes = followed({
  path: `${PREFIX}/changes`,
  operation: "changedPayments",
  operationId: "listPaymentChanges",
  tags,
  summary: "List the payments and refunds that were changed since a cursor",
  description:
    "Taken, reversed, counted in a day's close, or of a subscriber who is called otherwise now; who took one is called as at the reading.",
  record: paymentSchema,
  example: examplePayment,
  page: ({ db, by }, position) => {
    const { records, ...more } = changedPayments(db, by, position);
    return { ...more, records: records.map(paymentToJson) };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "paymentById",
  operationId: "getPayment",
  tags,
  summary: "Get a payment or refund, with all that its receipt prints",
  form: noForm,
  ids: { id: "payment" },
  success: {
    description: "The record; `print` is what a receipt says beside it.",
    schema: printedPaymentSchema,
    example: examplePrintedPayment,
  },
  refusals: { 404: "There is no such payment." },
  run: ({ db, by, ids: { id } }) => {
    const payment = paymentById(db, by, id);
    return printedPayment(payment, paymentPrintout(db, payment));
  },
});

const reverse = managed({
  method: "POST",
  path: `${PREFIX}/reverse`,
  operation: "reversePayment",
  operationId: "reversePayment",
  tags,
  summary: "Take back a payment that was a mistake",
  description:
    "The wallet may fall below zero, what the payment had settled opens again, and a Reseller who took it gets it back. What was activated stays, unless `void` is 1 (permission `invoice_void`): then the invoice that came with it is void and its service ends. Within the days of the setting reverse_days; who took it cannot once it is in the own day's close, and a Reseller reverses what it took itself.",
  form: managementForm({ id, reason, void: flag }, ["id", "reason"], {
    id: 96,
    reason: "paid for the neighbour",
    void: 1,
  }),
  success: {
    description: "Reversed; with void, `session` says what became of an open session.",
    schema: reversedSchema,
    example: exampleReversed,
  },
  refusals: {
    404: "There is no such payment.",
    409: "It is reversed already, or something stands in the way of ending the service.",
    422: "It is too old, a refund, or nothing was activated with it.",
  },
  once: ({ db, by, values: value }) =>
    void requireReversing(db, by, { paymentId: value.id, voids: value.void === 1 }),
  run: ({ db, by, values: value, now }) => {
    const reversal = { paymentId: value.id, reason: value.reason, voids: value.void === 1 };
    const booked = reversePayment(db, by, reversal, { now });
    return toAnswer(db, `Payment reversed: receipt ${booked.payment.number}.`, booked);
  },
  after: async ({ db, clock, routers, values: value }, answer) => {
    const { user_id: subscriberId } = answer.payment;
    if (value.void !== 1 || subscriberId === null) return answer;
    return { ...answer, session: await applyChange(db, { subscriberId }, { clock, routers }) };
  },
});

const refund = managed({
  method: "POST",
  path: `${PREFIX}/refund`,
  operation: "refundPayment",
  operationId: "refundPayment",
  tags,
  summary: "Hand money back from a wallet that holds it",
  description:
    "It gets a number of its own. What a Reseller hands back is the Reseller's money, whose own wallet gets as much. `staff_id` in place of `user_id` pays a Reseller out, which needs the permission `wallet_adjust`.",
  form: managementForm(handed, ["amount", "method"], {
    user_id: 42,
    amount: 7,
    method: "cash",
    note: "moved away",
  }),
  success: { description: "Handed back.", schema: bookedSchema, example: exampleRefund },
  refusals: {
    404: "There is no such subscriber or Reseller.",
    409: "The reference was taken already; the answer names its receipt.",
    422: "The wallet holds less.",
  },
  once: ({ db, by, values: value }) => void requirePayer(db, by, toWallet(value)),
  run: ({ db, by, values: value, now }) => {
    const { amount, method, reference, note } = value;
    const booked = refundPayment(db, by, { ...toWallet(value), amount, method, reference, note }, { now });
    return toAnswer(db, `Money handed back: receipt ${booked.payment.number}.`, booked);
  },
});

export const paymentOperations = [take, withChanges(list, changes), changes, get, reverse, refund];
