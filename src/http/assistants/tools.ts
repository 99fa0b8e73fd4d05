import { type Actor, may } from "../../domain/core/actor/actor.ts";
import type { Fields } from "../../domain/core/fields/fields.ts";
import { explainedField } from "../explain.ts";
import { writeSchema, type Written } from "../openapi-schemas.ts";
import type { Managed } from "../operation.ts";
import { managedOperations } from "../routes/managed.ts";

const byId = new Map(managedOperations.map((operation) => [operation.hook.detail.operationId, operation]));

/** The call by the name that the document has for it. */
export const callNamed = (operationId: string): Managed | undefined => byId.get(operationId);

/** Throws for a name that the document does not have: these are written here. */
function declared(operationId: string): Managed {
  const operation = callNamed(operationId);
  if (!operation) throw new Error(`there is no call ${operationId}`);
  return operation;
}

/** What an assistant reads with: a noun each, whose arguments are those of a call. */
export const readingTools: ReadonlyMap<string, Managed> = new Map(
  Object.entries({
    find: "searchSubscribers",
    subscribers: "listSubscribers",
    subscriber: "getSubscriber",
    why: "getWhy",
    usage: "getUsage",
    notes: "getNotes",
    statement: "getStatement",
    sessions: "listSessions",
    who_had_address: "whoHadAddress",
    logins: "listLogins",
    payments: "listPayments",
    invoices: "listInvoices",
    wallet_entries: "listWalletEntries",
    incoming_payments: "listIncomingPayments",
    packages: "listPackages",
    routers: "listNas",
    outages: "listOutages",
    card_batches: "listCardBatches",
    staff: "listStaff",
    closings: "listClosings",
    audit: "listAudit",
  }).map(([name, operationId]) => [name, declared(operationId)]),
);

const REPORTS = "/api/v1/report/";
/** Reports by what stands in their addresses, such as `sales`. */
export const reports: ReadonlyMap<string, Managed> = new Map(
  managedOperations
    .filter(({ path }) => path.startsWith(REPORTS))
    .map((report) => [report.path.slice(REPORTS.length), report]),
);

/** A key has an ISP, so that naming one says nothing; passwords and files are for people. */
const UNASKED: ReadonlySet<string> = new Set([
  ...["isp_id", "password", "new_password", "portal_password", "content"],
]);

/** What is sold, to whom, and money: rights, secrets, routers and the box are for people alone. */
const ASKED_FOR =
  /^\/api\/v1\/(?:activation|subscriber|branch|city|area|subarea|package|address_pool|invoice|payment|wallet|card_batch|incoming_payment|message|message_rule|message_template)\//;

/** Who knows the address of a payment source may book what it takes. */
const SECRET: ReadonlySet<string> = new Set(["listPaymentSources", "paymentSourceById"]);

export const isReading = ({ method, operation }: Managed): boolean =>
  method === "GET" && !SECRET.has(operation);

/** Whether its permission is there. */
export function isOpen(by: Actor, { hook }: Managed): boolean {
  const { access } = hook.detail;
  return typeof access === "object" && may(by, access.flag);
}

/** Whether an assistant may ask somebody to press it: it is undone after a look at what it would change, so that has to be a transaction. */
export function isAskedFor({ path, isTriable, hook: { detail } }: Managed): boolean {
  const required = detail.form?.required ?? [];
  return isTriable && ASKED_FOR.test(path) && !required.some((name) => UNASKED.has(name));
}

/** Ids of its path, and the fields of its form. */
function callFields({ hook: { detail } }: Managed): Fields {
  const sent = Object.entries(detail.form?.fields ?? {}).filter(([name]) => !UNASKED.has(name));
  return { ...detail.path, ...Object.fromEntries(sent) };
}

export const argumentNames = (call: Managed): readonly string[] => Object.keys(callFields(call));

export interface ArgumentSchema {
  readonly [key: string]: unknown;
  readonly type: "object";
}

/** JSON Schema of a call's arguments. */
export function argumentSchema(call: Managed): ArgumentSchema {
  const { tags, form, path = {} } = call.hook.detail;
  const of = { chapter: tags[0], meanings: form?.meanings };
  const properties = Object.entries(callFields(call)).map(([name, field]): [string, Written] => [
    name,
    writeSchema(name, explainedField(field, name, of)),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...Object.keys(path), ...(form?.required ?? [])],
    additionalProperties: false,
  };
}

/** What it does, in the words of the document. */
export function aboutCall({ hook: { detail } }: Managed): string {
  return [`${detail.summary}.`, detail.description].filter(Boolean).join(" ");
}
