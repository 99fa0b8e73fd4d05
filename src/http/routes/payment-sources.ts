import { Type } from "@sinclair/typebox";
import { sourceChanges, sourceFields } from "../../domain/desk/incoming/source-fields.ts";
import {
  createPaymentSource,
  deletePaymentSource,
  listPaymentSources,
  paymentSourceById,
  rotatePaymentSource,
  setPaymentSourceEnabled,
  updatePaymentSource,
} from "../../domain/desk/incoming/sources.ts";
import { text } from "../../wire/kinds.ts";
import { exampleSource, sourceToJson, sourceSchema } from "../../wire/payment-source.ts";
import { managementForm, noForm } from "../form.ts";
import { managed } from "../operation.ts";
import { declareNoun, deleteCall, enableCall, getCall, listCall, updateCall } from "../plain.ts";

const PREFIX = "/api/v1/payment_source";
const tags: [string] = ["Payments that arrive"];
const ids = { id: "payment source" };
const unknown = { 404: "There is no such payment source." };

const paymentSource = declareNoun({
  prefix: PREFIX,
  tags,
  name: "PaymentSource",
  one: "payment source",
  key: "source",
  record: sourceSchema,
  example: exampleSource,
  toJson: sourceToJson,
});
const withSecret = Type.Object({ success: Type.String(), source: sourceSchema, secret: text });

const list = listCall(paymentSource, {
  operation: "listPaymentSources",
  summary: "List who tells us of money",
  answer: "Providers and programs.",
  run: listPaymentSources,
});

const get = getCall(paymentSource, {
  operation: "paymentSourceById",
  answer: "The source.",
  run: paymentSourceById,
});

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createPaymentSource",
  operationId: "createPaymentSource",
  tags,
  summary: "Make a payment source",
  description:
    "`kind` provider: one that calls `path` of the public listener when somebody has paid, described by a `preset` or by `settings`, with the `secret` that it proves itself with; M-Pesa, which has none, with the `addresses` that it calls from. `kind` signed: a program of yours that signs what it sends to payment/receive by Standard Webhooks, with the secret in the answer, which is shown this once.",
  form: {
    ...managementForm(sourceFields, ["kind", "name", "method"], {
      kind: "provider",
      name: "Paystack",
      method: "online",
      preset: "paystack",
      secret: "sk_live_0123456789",
    }),
    narrowedBy: [],
  },
  clears: true,
  success: {
    description: "Made. `secret` is that of a program; null for a provider.",
    schema: withSecret,
    example: { success: "The payment source is there.", source: exampleSource, secret: null },
  },
  refusals: { 409: "The name is taken.", 422: "There are 50 already." },
  run: ({ db, by, input, now }) => {
    const made = createPaymentSource(db, by, input, { now });
    return {
      success: "The payment source is there.",
      source: sourceToJson(made.source),
      secret: made.secret,
    };
  },
});

const update = updateCall(paymentSource, {
  operation: "updatePaymentSource",
  description: "What is left out stays. Its name stays in any case: payments are known again by it.",
  form: managementForm(sourceChanges, [], { method: "online" }),
  run: updatePaymentSource,
});

const rotate = managed({
  method: "POST",
  path: `${PREFIX}/rotate/:id`,
  operation: "rotatePaymentSource",
  operationId: "rotatePaymentSource",
  tags,
  summary: "Make a new address, or a new secret of a program",
  description: "The one before is nothing any more at once: give the provider the new one first thing.",
  form: noForm,
  ids,
  success: {
    description: "`secret` is the new one of a program; null for a provider, which has a new `path`.",
    schema: withSecret,
    example: { success: "It has a new address.", source: exampleSource, secret: null },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => {
    const made = rotatePaymentSource(db, by, { id }, { now });
    const what = made.secret === null ? "address" : "secret";
    return { success: `It has a new ${what}.`, source: sourceToJson(made.source), secret: made.secret };
  },
});

const enable = enableCall(paymentSource, {
  operation: "setPaymentSourceEnabled",
  description: "While it is off its address is unknown, so that a provider tries again later.",
  run: setPaymentSourceEnabled,
});

const remove = deleteCall(paymentSource, {
  operation: "deletePaymentSource",
  description: "What came by it stays.",
  run: deletePaymentSource,
});

export const paymentSourceOperations = [list, get, create, update, rotate, enable, remove];
