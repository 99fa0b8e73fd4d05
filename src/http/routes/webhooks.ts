import { Type } from "@sinclair/typebox";
import { deliveryStates } from "../../../db/schema.ts";
import { from, id, oneOf, text, to, wholeNumber } from "../../domain/core/fields/fields.ts";
import {
  deliveryById,
  listDeliveries,
  replayDelivery,
  resendEvents,
  testEndpoint,
} from "../../domain/around/webhooks/deliveries.ts";
import { listEvents } from "../../domain/around/webhooks/events.ts";
import {
  createEndpoint,
  deleteEndpoint,
  endpointById,
  endpointChanges,
  endpointFields,
  endpointSecret,
  listEndpoints,
  rotateEndpointSecret,
  setEndpointEnabled,
  updateEndpoint,
} from "../../domain/around/webhooks/endpoints.ts";
import {
  deliverySchema,
  exampleDelivery,
  exampleTraced,
  exampleWebhook,
  deliveryToJson,
  eventSchema,
  eventToJson,
  exampleEvent,
  tracedToJson,
  webhookToJson,
  tracedSchema,
  webhookSchema,
} from "../../wire/webhook.ts";
import { managementForm, noForm } from "../form.ts";
import { logged, strict } from "../list.ts";
import { managed } from "../operation.ts";
import { declareNoun, deleteCall, enableCall, getCall, listCall, updateCall } from "../plain.ts";

const PREFIX = "/api/v1/webhook";
const tags: [string] = ["Webhooks"];
const ids = { id: "webhook" };
const unknown = { 404: "There is no such webhook." };

const webhook = declareNoun({
  prefix: PREFIX,
  tags,
  name: "Webhook",
  one: "webhook",
  key: "webhook",
  record: webhookSchema,
  example: exampleWebhook,
  toJson: webhookToJson,
});

const withSecretSchema = Type.Object({
  success: Type.String(),
  webhook: webhookSchema,
  secret: Type.String(),
});
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

const list = listCall(webhook, {
  operation: "listEndpoints",
  answer: "Who is called of events.",
  csv: true,
  run: listEndpoints,
});

const get = getCall(webhook, { operation: "endpointById", run: endpointById });

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createEndpoint",
  operationId: "createWebhook",
  tags,
  summary: "Make a webhook",
  description:
    "Calls `url` with each event of its types that happens from now on, by Standard Webhooks: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, signed with the secret in the answer. `types` are names with commas between them, or `*`. Answer 2xx within 20 s; what fails comes again for three days under the same id, and 410 ends it. An address within your own network needs `allow_local`, which an Admin sets.",
  form: {
    ...managementForm(endpointFields, ["url", "types"], {
      url: "https://books.example/hooks/gatehouse",
      types: "payment.received, invoice.issued",
      note: "the bookkeeping",
    }),
    narrowedBy: [],
  },
  clears: true,
  success: {
    description: "Made. `secret` is what its calls are signed with.",
    schema: withSecretSchema,
    example: {
      success: "The webhook is there, and hears of what happens from now on.",
      webhook: exampleWebhook,
      secret: exampleSecret,
    },
  },
  run: ({ db, by, input, now }) => {
    const made = createEndpoint(db, by, input, { now });
    const success = "The webhook is there, and hears of what happens from now on.";
    return { success, webhook: webhookToJson(made.endpoint), secret: made.secret };
  },
});

const update = updateCall(webhook, {
  operation: "updateEndpoint",
  description:
    "What is left out stays. Another `url` is called within your own network only where an Admin allows it again.",
  form: managementForm(endpointChanges, [], { types: "*" }),
  run: updateEndpoint,
});

const enable = enableCall(webhook, {
  operation: "setEndpointEnabled",
  description:
    "While it is off it is sent nothing. What happens meanwhile is kept for 30 days: webhook/resend sends it, event/list has it.",
  run: setEndpointEnabled,
});

const withSecret = {
  description: "`secret` is what its calls are signed with.",
  schema: withSecretSchema,
  example: { success: "Here it is.", webhook: exampleWebhook, secret: exampleSecret },
};

const rotate = managed({
  method: "POST",
  path: `${PREFIX}/rotate/:id`,
  operation: "rotateEndpointSecret",
  operationId: "rotateWebhookSecret",
  tags,
  summary: "Make a new secret",
  description: "For a day each call is signed with the one before too.",
  form: noForm,
  ids,
  success: withSecret,
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => {
    const made = rotateEndpointSecret(db, by, { id }, { now });
    const success = "There is a new secret; for a day each call is signed with the one before too.";
    return { success, webhook: webhookToJson(made.endpoint), secret: made.secret };
  },
});

const reveal = managed({
  method: "POST",
  path: `${PREFIX}/secret/:id`,
  takesKey: false,
  operation: "endpointSecret",
  operationId: "showWebhookSecret",
  tags,
  summary: "Show the secret once more",
  description: "Leaves an entry in the audit trail.",
  form: noForm,
  ids,
  success: withSecret,
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => {
    const json = webhookToJson(endpointById(db, by, { id }));
    return { success: "Here it is.", webhook: json, secret: endpointSecret(db, by, { id }, { now }) };
  },
});

const remove = deleteCall(webhook, {
  operation: "deleteEndpoint",
  answer: "Gone, with its deliveries.",
  run: deleteEndpoint,
});

const off = { ...unknown, 400: "The webhook is off." };
const sending = (what: string) => ({
  description: "Under way; `deliveries` shows what comes of it.",
  schema: Type.Object({ success: Type.String(), delivery: deliverySchema }),
  example: { success: what, delivery: exampleDelivery },
});

const trial = managed({
  method: "POST",
  path: `${PREFIX}/test/:id`,
  operation: "testEndpoint",
  operationId: "testWebhook",
  record: null,
  tags,
  summary: "Send a test event",
  form: noForm,
  ids,
  success: sending("A webhook.test is under way."),
  refusals: off,
  run: ({ db, by, ids: { id }, now }) => ({
    success: "A webhook.test is under way.",
    delivery: deliveryToJson(testEndpoint(db, by, { id }, { now })),
  }),
});

const deliveries = logged({
  path: `${PREFIX}/deliveries`,
  operation: "listDeliveries",
  operationId: "listWebhookDeliveries",
  tags,
  summary: "List what was sent",
  description: "Of the last 30 days.",
  filters: { webhook_id: id, state: oneOf(...deliveryStates), type: text(40), from, to },
  record: deliverySchema,
  example: exampleDelivery,
  page: ({ db, by, values: value }, paging) =>
    listDeliveries(db, by, { ...value, endpointId: value.webhook_id }, paging).map(deliveryToJson),
});

const resend = managed({
  method: "POST",
  path: `${PREFIX}/resend/:id`,
  operation: "resendEvents",
  operationId: "resendWebhookEvents",
  record: null,
  tags,
  summary: "Send what was not delivered since a time",
  description:
    "All events of its types since `from`, of the last 30 days, that have not been delivered: what failed, and what happened while it was off. The oldest first, and under the ids that they have, so that a receiver that has one knows it.",
  form: managementForm({ from }, ["from"], { from: "2030-01-15 08:00:00" }),
  ids,
  success: {
    description: "Under way; `is_all` is false where there are more than one call sends, then call again.",
    schema: Type.Object({ success: Type.String(), sent: Type.Integer(), is_all: Type.Boolean() }),
    example: { success: "3 events are under way.", sent: 3, is_all: true },
  },
  refusals: off,
  run: ({ db, by, ids: { id }, values, now }) => {
    const { sent, isAll } = resendEvents(db, by, { id, from: values.from }, { now });
    return { success: `${sent} events are under way.`, sent, is_all: isAll };
  },
});

const events = managed({
  method: "GET",
  path: "/api/v1/event/list",
  operation: "listEvents",
  operationId: "listEvents",
  tags,
  summary: "List what happened, as webhooks tell it",
  description:
    "Of the last 30 days, the oldest first, for whoever missed some of it: the events of the caller's scope that its permissions allow, after the one of the id `after` (the `webhook-id` that came last), or from the beginning. Sessions are told only while a webhook names them. Keep `cursor`, and go on with it: at once while `has_more` is true, else a while later.",
  form: strict(
    managementForm({ after: text(100), limit: wholeNumber(1, 1000) }, [], {
      after: exampleEvent.id,
      limit: 1000,
    }),
  ),
  success: {
    description: "The next events.",
    schema: Type.Object({ events: Type.Array(eventSchema), cursor: Type.String(), has_more: Type.Boolean() }),
    example: { events: [exampleEvent], cursor: exampleEvent.id, has_more: false },
  },
  run: ({ db, by, values }) => {
    const { events: found, cursor, hasMore } = listEvents(db, by, { ...values, limit: values.limit ?? 100 });
    return { events: found.map(eventToJson), cursor, has_more: hasMore };
  },
});

const ofDelivery = { id: "delivery" };
const noDelivery = { 404: "There is no such delivery." };

const trace = managed({
  method: "GET",
  path: `${PREFIX}/delivery/:id`,
  operation: "deliveryById",
  operationId: "getWebhookDelivery",
  tags,
  summary: "Get a delivery with its attempts",
  form: noForm,
  ids: ofDelivery,
  success: {
    description: "What was sent, and what came of each attempt.",
    schema: tracedSchema,
    example: exampleTraced,
  },
  refusals: noDelivery,
  run: ({ db, by, ids: { id } }) => {
    const { delivery, attempts, data } = deliveryById(db, by, { id });
    return tracedToJson(delivery, attempts, data);
  },
});

const replay = managed({
  method: "POST",
  path: `${PREFIX}/replay/:id`,
  operation: "replayDelivery",
  operationId: "replayWebhookDelivery",
  tags,
  summary: "Send a delivery again",
  description: "Under the same id, so that a receiver that has it knows it.",
  form: noForm,
  ids: ofDelivery,
  success: sending("It is sent again."),
  refusals: { ...noDelivery, 400: "The webhook is off." },
  run: ({ db, by, ids: { id }, now }) => ({
    success: "It is sent again.",
    delivery: deliveryToJson(replayDelivery(db, by, { id }, { now })),
  }),
});

export const webhookOperations = [
  ...[list, get, create, update, enable, rotate, reveal, remove, trial],
  ...[deliveries, trace, replay, resend, events],
];
