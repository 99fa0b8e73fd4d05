import { Type } from "@sinclair/typebox";
import { id, oneOf, text } from "../../domain/fields.ts";
import { assignIncoming, dismissIncoming } from "../../domain/incoming/assign.ts";
import { incomingOfId, incomingViews, listIncoming } from "../../domain/incoming/list.ts";
import { renewedBy } from "../../domain/incoming/receive.ts";
import { subscriberById } from "../../domain/subscribers/find.ts";
import { exampleIncoming, incomingSchema, shownIncoming } from "../../wire/incoming-payment.ts";
import { managementForm, noForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/incoming_payment";
const tags: [string] = ["Payments that arrive"];
const ids = { id: "payment that arrived" };
const unknown = { 404: "There is no such payment, or no such subscriber." };
const done = Type.Object({ success: Type.String(), incoming: incomingSchema });

const list = logged({
  path: `${PREFIX}/list`,
  operation: "listIncoming",
  operationId: "listIncomingPayments",
  tags,
  summary: "List payments that arrived",
  description: "`view` open: those that wait for staff, which is what is listed without it; all: every one.",
  filters: { view: oneOf(...incomingViews), provider: text(60), user_id: id },
  record: incomingSchema,
  example: exampleIncoming,
  page: ({ db, by, given }, paging) =>
    listIncoming(
      db,
      by,
      { view: given.view ?? "open", provider: given.provider, subscriberId: given.user_id },
      paging,
    ).map(shownIncoming),
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "incomingOfId",
  operationId: "getIncomingPayment",
  tags,
  summary: "Get a payment that arrived",
  form: noForm,
  ids,
  success: { description: "The payment.", schema: incomingSchema, example: exampleIncoming },
  refusals: unknown,
  run: ({ db, by, ids: { id: number } }) => shownIncoming(incomingOfId(db, by, { id: number })),
});

const assign = managed({
  method: "POST",
  path: `${PREFIX}/assign/:id`,
  operation: "assignIncoming",
  operationId: "assignIncomingPayment",
  tags,
  summary: "Say whose it is",
  description: "Books it for the subscriber, as it would have been booked by itself.",
  form: managementForm({ user_id: id, method: text(20) }, ["user_id"], { user_id: 42 }),
  ids,
  success: {
    description: "Booked.",
    schema: done,
    example: { success: "Booked: receipt R-2030-000096.", incoming: exampleIncoming },
  },
  refusals: {
    ...unknown,
    409: "It does not wait any more, or its reference was taken at the desk already.",
    422: "It is in another currency, or a refund or dispute.",
  },
  run: ({ db, by, ids: { id: number }, given, now, renewed }) => {
    const { user_id: subscriberId, method } = given;
    const { incoming, booked } = assignIncoming(
      db,
      by,
      { id: number, subscriberId, method: method ?? "online" },
      { now },
    );
    if (renewedBy({ booked }) !== null) renewed(subscriberById(db, by.scope, subscriberId));
    return { success: `Booked: receipt ${booked.number}.`, incoming: shownIncoming(incoming) };
  },
});

const dismiss = managed({
  method: "POST",
  path: `${PREFIX}/dismiss/:id`,
  operation: "dismissIncoming",
  operationId: "dismissIncomingPayment",
  tags,
  summary: "Put away what nobody books",
  form: managementForm({ reason: text(500) }, ["reason"], { reason: "handed back" }),
  ids,
  success: {
    description: "Put away; nothing was booked.",
    schema: done,
    example: { success: "It was put away; nothing was booked.", incoming: exampleIncoming },
  },
  refusals: { ...unknown, 409: "It does not wait any more." },
  run: ({ db, by, ids: { id: number }, given, now }) => ({
    success: "It was put away; nothing was booked.",
    incoming: shownIncoming(dismissIncoming(db, by, { id: number, reason: given.reason }, { now })),
  }),
});

/** Money that arrived by itself. */
export const incomingOperations = [list, get, assign, dismiss];
