import { type TObject, Type } from "@sinclair/typebox";
import { deliveryStates } from "../../../db/schema.ts";
import { flag, id, oneOf } from "../../domain/core/fields/fields.ts";
import {
  deliveryOfId,
  listDeliveries,
  replayDelivery,
  testEndpoint,
} from "../../domain/around/webhooks/deliveries.ts";
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  endpointChanges,
  endpointFields,
  endpointOfId,
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
  shownDelivery,
  shownTraced,
  shownWebhook,
  tracedSchema,
  webhookSchema,
} from "../../wire/webhook.ts";
import { managementForm, noForm } from "../form.ts";
import { logged, shortFile } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/webhook";
const tags: [string] = ["Webhooks"];
const ids = { id: "webhook" };
const unknown = { 404: "There is no such webhook." };

const done = <P extends Record<string, TObject | ReturnType<typeof Type.String>>>(more: P) =>
  Type.Object({ success: Type.String(), webhook: webhookSchema, ...more });
const secret = { secret: Type.String() };
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

const list = managed({
  method: "GET",
  path: `${PREFIX}/list`,
  operation: "listEndpoints",
  operationId: "listWebhooks",
  tags,
  summary: "List webhooks",
  form: noForm,
  success: {
    description: "Who is called of events.",
    schema: Type.Array(webhookSchema),
    example: [exampleWebhook],
  },
  run: ({ db, by }) => listEndpoints(db, by).map(shownWebhook),
  csv: ({ db, by }) => shortFile("listWebhooks", webhookSchema, listEndpoints(db, by).map(shownWebhook)),
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "endpointOfId",
  operationId: "getWebhook",
  tags,
  summary: "Get a webhook",
  form: noForm,
  ids,
  success: { description: "The webhook.", schema: webhookSchema, example: exampleWebhook },
  refusals: unknown,
  run: ({ db, by, ids: { id } }) => shownWebhook(endpointOfId(db, by, { id })),
});

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
  success: {
    description: "Made. `secret` is what its calls are signed with.",
    schema: done(secret),
    example: {
      success: "The webhook is there, and hears of what happens from now on.",
      webhook: exampleWebhook,
      secret: exampleSecret,
    },
  },
  run: ({ db, by, input, now }) => {
    const made = createEndpoint(db, by, input, { now });
    const success = "The webhook is there, and hears of what happens from now on.";
    return { success, webhook: shownWebhook(made.endpoint), secret: made.secret };
  },
});

const update = managed({
  method: "POST",
  path: `${PREFIX}/update/:id`,
  operation: "updateEndpoint",
  operationId: "updateWebhook",
  tags,
  summary: "Change a webhook",
  description:
    "What is left out stays. Another `url` is called within your own network only where an Admin allows it again.",
  form: {
    ...managementForm(endpointChanges, [], { types: "*" }),
    narrowedBy: [],
  },
  ids,
  success: {
    description: "Changed.",
    schema: done({}),
    example: { success: "The webhook was changed.", webhook: exampleWebhook },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, input, now }) => ({
    success: "The webhook was changed.",
    webhook: shownWebhook(updateEndpoint(db, by, { id, input }, { now })),
  }),
});

const enable = managed({
  method: "POST",
  path: `${PREFIX}/enable/:id`,
  operation: "setEndpointEnabled",
  operationId: "enableWebhook",
  tags,
  summary: "Switch a webhook on or off",
  description: "While it is off nothing is kept for it, and what waits is dropped.",
  form: managementForm({ enabled: flag }, ["enabled"], { enabled: 1 }),
  ids,
  success: {
    description: "As it was asked.",
    schema: done({}),
    example: { success: "The webhook is on.", webhook: exampleWebhook },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, given, now }) => {
    const enabled = given.enabled === 1;
    const endpoint = setEndpointEnabled(db, by, { id, enabled }, { now });
    return { success: `The webhook is ${enabled ? "on" : "off"}.`, webhook: shownWebhook(endpoint) };
  },
});

const withSecret = {
  description: "`secret` is what its calls are signed with.",
  schema: done(secret),
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
    return { success, webhook: shownWebhook(made.endpoint), secret: made.secret };
  },
});

const reveal = managed({
  method: "POST",
  path: `${PREFIX}/secret/:id`,
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
    const webhook: Endpoint = endpointOfId(db, by, { id });
    const success = "Here it is.";
    return { success, webhook: shownWebhook(webhook), secret: endpointSecret(db, by, { id }, { now }) };
  },
});

const remove = managed({
  method: "DELETE",
  path: `${PREFIX}/delete/:id`,
  operation: "deleteEndpoint",
  operationId: "deleteWebhook",
  tags,
  summary: "Delete a webhook",
  form: noForm,
  ids,
  success: {
    description: "Gone, with its deliveries.",
    schema: done({}),
    example: { success: "The webhook is gone.", webhook: exampleWebhook },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id }, now }) => ({
    success: "The webhook is gone.",
    webhook: shownWebhook(deleteEndpoint(db, by, { id }, { now })),
  }),
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
  tags,
  summary: "Send a test event",
  form: noForm,
  ids,
  success: sending("A webhook.test is under way."),
  refusals: off,
  run: ({ db, by, ids: { id }, now }) => ({
    success: "A webhook.test is under way.",
    delivery: shownDelivery(testEndpoint(db, by, { id }, { now })),
  }),
});

const deliveries = logged({
  path: `${PREFIX}/deliveries`,
  operation: "listDeliveries",
  operationId: "listWebhookDeliveries",
  tags,
  summary: "List what was sent",
  description: "Of the last 30 days.",
  filters: { webhook_id: id, state: oneOf(...deliveryStates) },
  record: deliverySchema,
  example: exampleDelivery,
  page: ({ db, by, given }, paging) =>
    listDeliveries(db, by, { endpointId: given.webhook_id, state: given.state }, paging).map(shownDelivery),
});

const ofDelivery = { id: "delivery" };
const noDelivery = { 404: "There is no such delivery." };

const trace = managed({
  method: "GET",
  path: `${PREFIX}/delivery/:id`,
  operation: "deliveryOfId",
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
    const { delivery, attempts, data } = deliveryOfId(db, by, { id });
    return shownTraced(delivery, attempts, data);
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
    delivery: shownDelivery(replayDelivery(db, by, { id }, { now })),
  }),
});

/** Who is called of events, and what came of it. */
export const webhookOperations = [
  ...[list, get, create, update, enable, rotate, reveal, remove, trial],
  ...[deliveries, trace, replay],
];
