import { quoteTopUp, topUp } from "../../domain/service/activation/top-up.ts";
import { applyTopUp } from "../../domain/service/control/apply-top-up.ts";
import { id } from "../../domain/core/fields/fields.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import {
  exampleTopUp,
  exampleTopUpQuote,
  topUpToJson,
  topUpQuoteToJson,
  topUpQuoteSchema,
  topUpSchema,
} from "../../wire/top-up.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/activation";
const tags: [string] = ["Activation"];
const form = managementForm({ user_id: id, package_id: id }, ["user_id", "package_id"], {
  user_id: 42,
  package_id: 9,
});
const refused =
  "It is no top-up, the service does not run, bytes would add nothing to it, insufficient balance, no reseller, a disabled subscriber or package, or an end more than ten years ahead.";

const sale = managed({
  method: "POST",
  path: `${PREFIX}/top_up`,
  operation: "topUp",
  operationId: "topUp",
  tags,
  summary: "Sell a top-up: bytes or days added to a service that runs",
  description:
    "A top-up is a package with `top_up_bytes` or `top_up_days`. Bytes are added to the volume and put off every tier of the window that runs; days move the expiration. Charged and invoiced as an activation is. An open session gets its rate, its end and its volume by CoA.",
  form,
  success: {
    description: "Sold; `session` says what became of an open session.",
    schema: topUpSchema,
    example: exampleTopUp,
  },
  refusals: { 404: "There is no such subscriber or package.", 422: refused },
  once: ({ db, by, values: { user_id } }) => void subscriberById(db, by.scope, user_id),
  run: ({ db, by, values: { user_id: subscriberId, package_id: packageId }, now }) =>
    topUpToJson(topUp(db, by, { subscriberId, packageId }, { now })),
  after: async ({ db, clock, routers }, answer) => {
    const { user_id: subscriberId, invoice_id: invoiceId } = answer;
    return { ...answer, session: await applyTopUp(db, { subscriberId, invoiceId }, { clock, routers }) };
  },
});

const quotation = managed({
  method: "GET",
  path: `${PREFIX}/top_up_quote`,
  operation: "quoteTopUp",
  operationId: "quoteTopUp",
  tags,
  summary: "Say what a top-up would do now",
  description:
    "Changes nothing. What top_up would refuse is refused here, with the same status and the same words.",
  form,
  success: { description: "What top_up would do.", schema: topUpQuoteSchema, example: exampleTopUpQuote },
  refusals: {
    404: "There is no such subscriber or package.",
    422: "top_up would refuse it: `error` says why.",
  },
  run: ({ db, by, values: { user_id: subscriberId, package_id: packageId }, now }) =>
    topUpQuoteToJson(quoteTopUp(db, by, { subscriberId, packageId }, { now })),
});

export const topUpOperations = [sale, quotation];
