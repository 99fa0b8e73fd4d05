import { type TSchema, Type } from "@sinclair/typebox";
import { flag } from "../../domain/core/fields/fields.ts";
import { sourceChanges, sourceFields } from "../../domain/desk/incoming/source-fields.ts";
import {
  createPaymentSource,
  deletePaymentSource,
  listPaymentSources,
  paymentSourceOfId,
  rotatePaymentSource,
  setPaymentSourceEnabled,
  updatePaymentSource,
} from "../../domain/desk/incoming/sources.ts";
import { exampleSource, shownSource, sourceSchema } from "../../wire/payment-source.ts";
import { managementForm, noForm } from "../form.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/payment_source";
const tags: [string] = ["Payments that arrive"];
const ids = { id: "payment source" };
const unknown = { 404: "There is no such payment source." };

const done = <P extends Record<string, TSchema>>(more: P) =>
  Type.Object({ success: Type.String(), source: sourceSchema, ...more });
const secret = { secret: Type.Union([Type.String(), Type.Null()]) };

const list = managed({
  method: "GET",
  path: `${PREFIX}/list`,
  operation: "listPaymentSources",
  operationId: "listPaymentSources",
  tags,
  summary: "List who tells us of money",
  form: noForm,
  success: {
    description: "Providers and programs.",
    schema: Type.Array(sourceSchema),
    example: [exampleSource],
  },
  run: ({ db, by }) => listPaymentSources(db, by).map(shownSource),
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "paymentSourceOfId",
  operationId: "getPaymentSource",
  tags,
  summary: "Get a payment source",
  form: noForm,
  ids,
  success: { description: "The source.", schema: sourceSchema, example: exampleSource },
  refusals: unknown,
  run: ({ db, by, ids: { id } }) => shownSource(paymentSourceOfId(db, by, { id })),
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
  success: {
    description: "Made. `secret` is that of a program; null for a provider.",
    schema: done(secret),
    example: { success: "The payment source is there.", source: exampleSource, secret: null },
  },
  refusals: { 409: "The name is taken.", 422: "There are 50 already." },
  run: ({ db, by, input, now }) => {
    const made = createPaymentSource(db, by, input, { now });
    return { success: "The payment source is there.", source: shownSource(made.source), secret: made.secret };
  },
});

const update = managed({
  method: "POST",
  path: `${PREFIX}/update/:id`,
  operation: "updatePaymentSource",
  operationId: "updatePaymentSource",
  tags,
  summary: "Change a payment source",
  description: "What is left out stays. Its name stays in any case: payments are known again by it.",
  form: { ...managementForm(sourceChanges, [], { method: "online" }), narrowedBy: [] },
  ids,
  success: {
    description: "Changed.",
    schema: done({}),
    example: { success: "The payment source was changed.", source: exampleSource },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, input, now }) => ({
    success: "The payment source was changed.",
    source: shownSource(updatePaymentSource(db, by, { id, input }, { now })),
  }),
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
    schema: done(secret),
    example: { success: "It has a new address.", source: exampleSource, secret: null },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => {
    const made = rotatePaymentSource(db, by, { id }, { now });
    const what = made.secret === null ? "address" : "secret";
    return { success: `It has a new ${what}.`, source: shownSource(made.source), secret: made.secret };
  },
});

const enable = managed({
  method: "POST",
  path: `${PREFIX}/enable/:id`,
  operation: "setPaymentSourceEnabled",
  operationId: "enablePaymentSource",
  tags,
  summary: "Switch a payment source on or off",
  description: "While it is off its address is unknown, so that a provider tries again later.",
  form: managementForm({ enabled: flag }, ["enabled"], { enabled: 1 }),
  ids,
  success: {
    description: "As it was asked.",
    schema: done({}),
    example: { success: "The payment source is on.", source: exampleSource },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, given, now }) => {
    const enabled = given.enabled === 1;
    const source = setPaymentSourceEnabled(db, by, { id, enabled }, { now });
    return { success: `The payment source is ${enabled ? "on" : "off"}.`, source: shownSource(source) };
  },
});

const remove = managed({
  method: "DELETE",
  path: `${PREFIX}/delete/:id`,
  operation: "deletePaymentSource",
  operationId: "deletePaymentSource",
  tags,
  summary: "Delete a payment source",
  description: "What came by it stays.",
  form: noForm,
  ids,
  success: {
    description: "Gone.",
    schema: done({}),
    example: { success: "The payment source is gone.", source: exampleSource },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => ({
    success: "The payment source is gone.",
    source: shownSource(deletePaymentSource(db, by, { id }, { now })),
  }),
});

/** Who tells us of money. */
export const paymentSourceOperations = [list, get, create, update, rotate, enable, remove];
