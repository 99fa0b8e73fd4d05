import { extend, extensionFields } from "../../domain/service/activation/extend.ts";
import { quote } from "../../domain/service/activation/activate.ts";
import { listRenewals } from "../../domain/service/activation/renewals.ts";
import { invoiceById } from "../../domain/money/invoices/find-invoice.ts";
import { voidSoldInvoice } from "../../domain/desk/void/void.ts";
import { applyChange, applyExtension } from "../../domain/service/control/apply-change.ts";
import { write } from "../../../db/open.ts";
import { freezeSubscriber } from "../../domain/desk/subscriber-page/freeze.ts";
import { flag, id, text } from "../../domain/core/fields/fields.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import { freezeService, thawSubscriber } from "../../domain/desk/subscriber-page/freeze-service.ts";
import {
  dueRenewalSchema,
  exampleDueRenewal,
  exampleExtension,
  exampleFreeze,
  exampleQuote,
  exampleThaw,
  exampleVoid,
  extensionSchema,
  freezeSchema,
  quoteSchema,
  dueRenewalToJson,
  extensionToJson,
  freezeToJson,
  quoteToJson,
  thawToJson,
  voidToJson,
  thawSchema,
  voidSchema,
} from "../../wire/term.ts";
import { managementForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed } from "../operation.ts";
import { activationForm } from "./activation.ts";

const ACTIVATION = "/api/v1/activation";
const SUBSCRIBER = "/api/v1/subscriber";
const tags: [string] = ["Activation"];
const userForm = managementForm({ user_id: id }, ["user_id"], { user_id: 42 });
const noSubscriber = "There is no such subscriber.";

const quotation = managed({
  method: "GET",
  path: `${ACTIVATION}/quote`,
  operation: "quote",
  operationId: "quoteActivation",
  tags,
  summary: "Say what an activation would do now",
  description:
    "Changes nothing. What activate would refuse is refused here, with the same status and the same words.",
  form: activationForm,
  success: { description: "What activate would do.", schema: quoteSchema, example: exampleQuote },
  refusals: {
    404: "There is no such subscriber or package.",
    422: "Activate would refuse it: `error` says why.",
    429: "The subscriber was activated less than two minutes ago.",
  },
  run: ({ db, by, values: { user_id: subscriberId, package_id: packageId, credit_unused }, now }) =>
    quoteToJson(quote(db, by, { subscriberId, packageId, creditUnused: credit_unused === 1 }, { now })),
});

const extension = managed({
  method: "POST",
  path: `${ACTIVATION}/extend`,
  operation: "extend",
  operationId: "extend",
  tags,
  summary: "Give a subscriber time free of charge",
  description:
    "Counted from the later of now and the expiration; the volume that is used stays used. An extension on trust is taken off the next renewal. Who is not an Admin extends at most `extend_days_max` days beyond the end of the last paid period, all extensions together.",
  form: managementForm({ user_id: id, ...extensionFields }, ["user_id", "reason"], {
    user_id: 42,
    hours: 48,
    reason: "No service after the storm",
    trust: 0,
  }),
  success: {
    description: "Extended; `session` says what became of an open session.",
    schema: extensionSchema,
    example: exampleExtension,
  },
  refusals: {
    404: noSubscriber,
    422: "Never activated, disabled or frozen, neither or both of hours and until, or an end that is not later or more than ten years ahead.",
  },
  once: ({ db, by, values: { user_id } }) => void subscriberById(db, by.scope, user_id),
  run: ({ db, by, values: { user_id: subscriberId, hours, until, reason, trust }, now }) => {
    const length = { hours: hours ?? undefined, until: until ?? undefined };
    return extensionToJson(extend(db, by, { subscriberId, ...length, reason, trust: trust === 1 }, { now }));
  },
  after: async ({ db, clock, routers }, answer) => ({
    ...answer,
    session: await applyExtension(db, { subscriberId: answer.user_id }, { clock, routers }),
  }),
});

const renewals = listed({
  path: `${ACTIVATION}/renewals`,
  operation: "listRenewals",
  operationId: "listRenewals",
  tags,
  summary: "List the renewals by themselves that are due within a week, with why they will fail",
  description:
    "Of subscribers with auto_renew 1; those that have ended and wait for something are there too.",
  filters: {},
  sorts: ["current_expiration_date"],
  record: dueRenewalSchema,
  example: exampleDueRenewal,
  page: ({ db, by, now }, { limit, offset, descending }) => {
    const { renewals: found, total } = listRenewals(db, by, { limit, offset, descending }, { now });
    return { records: found.map(dueRenewalToJson), total };
  },
});

const freezing = managed({
  method: "POST",
  path: `${SUBSCRIBER}/freeze`,
  awaits: true,
  operation: "freezeSubscriber",
  operationId: "freezeSubscriber",
  tags,
  summary: "Let an active service stand still, for a subscriber who travels",
  description:
    "Ends what is open and lets nobody in until it is thawed; what is left of the period then is left. Shown as disabled, with frozen_since. After `freeze_days_max` days of any 365 it thaws by itself.",
  form: userForm,
  success: { description: "Frozen.", schema: freezeSchema, example: exampleFreeze },
  refusals: {
    404: noSubscriber,
    422: "Not active, frozen already, or the days of the year are used up.",
  },
  first: ({ db, by, values: { user_id: subscriberId }, now }) =>
    void write(db, (tx) => freezeService(tx, by, subscriberId, now)),
  run: async ({ db, by, values: { user_id: subscriberId }, clock, routers }) =>
    freezeToJson(await freezeSubscriber(db, by, { subscriberId }, { clock, routers })),
});

const thawing = managed({
  method: "POST",
  path: `${SUBSCRIBER}/thaw`,
  operation: "thawSubscriber",
  operationId: "thawSubscriber",
  tags,
  summary: "Let a frozen service go on",
  description: "The expiration and the periods of its invoices move by the time that it stood still.",
  form: userForm,
  success: { description: "Thawed.", schema: thawSchema, example: exampleThaw },
  refusals: { 404: noSubscriber, 422: "The service is not frozen." },
  run: ({ db, by, values: { user_id: subscriberId }, now }) =>
    thawToJson(thawSubscriber(db, by, { subscriberId }, { now })),
});

const voiding = managed({
  method: "POST",
  path: "/api/v1/invoice/void",
  operation: "voidSoldInvoice",
  operationId: "voidInvoice",
  tags: ["Money"],
  summary: "Void an invoice",
  description:
    "Gives back to the wallet what was not yet credited of it, and takes back its commission; its number stays. With end_service 1 the service is as it was before the invoice, which has to be the newest that is not void.",
  form: managementForm({ invoice_id: id, reason: text(500), end_service: flag }, ["invoice_id", "reason"], {
    invoice_id: 123,
    reason: "Wrong subscriber",
    end_service: 1,
  }),
  success: {
    description: "Void; with end_service, `session` says what became of an open session.",
    schema: voidSchema,
    example: exampleVoid,
  },
  refusals: {
    404: "There is no such invoice.",
    409: "The invoice is void already, or with end_service something has moved the service since: `error` names it.",
  },
  run: ({ db, by, values: { invoice_id: invoiceId, reason, end_service }, now }) =>
    voidToJson(voidSoldInvoice(db, by, { invoiceId, reason, endService: end_service === 1 }, { now })),
  once: ({ db, by, values: { invoice_id } }) => void invoiceById(db, by.scope, invoice_id),
  after: async ({ db, clock, routers, values: { end_service } }, answer) =>
    end_service === 1
      ? { ...answer, session: await applyChange(db, { subscriberId: answer.user_id }, { clock, routers }) }
      : answer,
});

export const termOperations = [quotation, extension, renewals, freezing, thawing, voiding];
