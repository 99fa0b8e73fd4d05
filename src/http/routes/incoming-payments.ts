import { phrase } from "../../domain/core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { type Field, field, id, oneOf, text } from "../../domain/core/fields/fields.ts";
import {
  BANK,
  bankFileFields,
  bankFileRequired,
  previewBankFile,
  type ReadLine,
  takeBankFile,
} from "../../domain/desk/incoming/bank/files.ts";
import {
  assignGuessed,
  assignIncoming,
  dismissIncoming,
  openRawIncoming,
} from "../../domain/desk/incoming/assign.ts";
import { incomingById, incomingViews, listIncoming } from "../../domain/desk/incoming/list.ts";
import { renewedBy } from "../../domain/desk/incoming/receive.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import {
  assignedSchema,
  bankLineSchema,
  exampleAssigned,
  exampleBankLine,
  assignedToJson,
  bankLineToJson,
} from "../../wire/bank-line.ts";
import { exampleIncoming, incomingSchema, incomingToJson } from "../../wire/incoming-payment.ts";
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
  description:
    "`view` open: those that wait for staff, which is what is listed without it; guessed: those of them that are thought to be somebody's; all: every one.",
  filters: { view: oneOf(...incomingViews), provider: text(60), user_id: id },
  record: incomingSchema,
  example: exampleIncoming,
  page: ({ db, by, values: value }, paging) =>
    listIncoming(
      db,
      by,
      { view: value.view ?? "open", provider: value.provider, subscriberId: value.user_id },
      paging,
    ).map(incomingToJson),
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "incomingById",
  operationId: "getIncomingPayment",
  tags,
  summary: "Get a payment that arrived",
  form: noForm,
  ids,
  success: { description: "The payment.", schema: incomingSchema, example: exampleIncoming },
  refusals: unknown,
  run: ({ db, by, ids: { id: number } }) => incomingToJson(incomingById(db, by, { id: number })),
});

const raw = managed({
  method: "POST",
  path: `${PREFIX}/raw/:id`,
  takesKey: false,
  operation: "openRawIncoming",
  operationId: "showIncomingPaymentRaw",
  tags,
  summary: "Show what was sent with it",
  description: "As it came, for a dispute; kept for 90 days. Leaves an entry in the audit trail.",
  form: noForm,
  ids,
  success: {
    description: "What was sent.",
    schema: Type.Object({ success: Type.String(), raw: Type.String() }),
    example: { success: "Here it is.", raw: '{"event":"charge.success"}' },
  },
  refusals: { 404: "There is no such payment, or what was sent is gone." },
  run: ({ db, by, ids: { id: number }, now }) => ({
    success: "Here it is.",
    raw: openRawIncoming(db, by, { id: number }, { now }),
  }),
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
  run: ({ db, by, ids: { id: number }, values: value, now, renewed }) => {
    const { user_id: subscriberId, method } = value;
    const { incoming, booked } = assignIncoming(
      db,
      by,
      { id: number, subscriberId, method: method ?? "online" },
      { now },
    );
    if (renewedBy({ booked }) !== null) renewed(subscriberById(db, by.scope, subscriberId));
    return { success: `Booked: receipt ${booked.number}.`, incoming: incomingToJson(incoming) };
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
  run: ({ db, by, ids: { id: number }, values: value, now }) => ({
    success: "It was put away; nothing was booked.",
    incoming: incomingToJson(dismissIncoming(db, by, { id: number, reason: value.reason }, { now })),
  }),
});

const numbers: Field<number[]> = field(
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: "^[0-9, ]+$", maxLength: 8000 })]),
  phrase`must be ids with commas between them, at most 500`,
  (value) => {
    const all = String(value)
      .split(",")
      .map((one) => id.read(one.trim()));
    const read = all.filter((one) => one !== undefined);
    return read.length === all.length && read.length <= 500 ? [...new Set(read)] : undefined;
  },
);

const assignMany = managed({
  method: "POST",
  path: `${PREFIX}/assign_many`,
  operation: "assignGuessed",
  operationId: "assignIncomingPayments",
  tags,
  summary: "Book payments for whom they are thought to be of",
  description:
    "Those of `ids` that say a `user_id`, as lines of a bank's file do where somebody was found. Each for itself: one that is refused stays, and says why.",
  form: managementForm({ ids: numbers, method: text(20) }, ["ids"], { ids: "31,32", method: "bank" }),
  success: {
    description: "What came of each.",
    schema: Type.Object({ success: Type.String(), results: Type.Array(assignedSchema) }),
    example: { success: "1 of 2 were booked.", results: [exampleAssigned] },
  },
  run: ({ db, by, values: value, now, renewed }) => {
    const results = assignGuessed(db, by, { ids: value.ids, method: value.method ?? BANK }, { now });
    for (const { booked } of results) {
      const subscriberId = renewedBy({ booked });
      if (subscriberId !== null) renewed(subscriberById(db, by.scope, subscriberId));
    }
    const count = results.filter(({ booked }) => booked !== null).length;
    return { success: `${count} of ${results.length} were booked.`, results: results.map(assignedToJson) };
  },
});

const bankForm = {
  ...managementForm(bankFileFields, bankFileRequired, {
    name: "January.csv",
    content: "Date;Amount;Text;Payer\n15.01.2030;22,00;Ref 5724;Ann Lee\n",
    date_column: "Date",
    amount_column: "Amount",
    text_column: "Text",
    payer_column: "Payer",
    dates: "d.m.Y",
    decimals: "comma",
  }),
  narrowedBy: [],
};
const read = (what: string) => ({
  description: what,
  schema: Type.Object({ success: Type.String(), lines: Type.Array(bankLineSchema) }),
  example: { success: "1 line is new, 0 are known, 0 are left out.", lines: [exampleBankLine] },
});
const counted = (lines: readonly ReadLine[]) => {
  const count = (state: ReadLine["state"]) => lines.filter((line) => line.state === state).length;
  const one = count("new");
  return {
    success: `${one === 1 ? "1 line is" : `${one} lines are`} new, ${count("known")} are known, ${count("left_out")} are left out.`,
    lines: lines.map(bankLineToJson),
  };
};

const previewFile = managed({
  method: "POST",
  path: `${PREFIX}/bank_preview`,
  takesKey: false,
  operation: "previewBankFile",
  operationId: "previewBankFile",
  tags,
  summary: "Read a bank's file, and show whose its lines may be",
  description:
    "CSV with the names of its columns above its rows, delimited by commas, semicolons, tabs or bars; `content` is its text, and what stands above the names is passed over. By the reference or username in its text, else by the name of the payer, else by the amount of an open invoice, where it is one subscriber alone. Nothing is stored.",
  form: bankForm,
  success: read("Every line."),
  run: ({ db, by, input }) => counted(previewBankFile(db, by, input)),
});

const takeFile = managed({
  method: "POST",
  path: `${PREFIX}/bank_file`,
  operation: "takeBankFile",
  operationId: "takeBankFile",
  tags,
  summary: "Take the new lines of a bank's file among the payments that wait",
  description:
    "As bank_preview showed them; nothing is booked before assign_many or assign. A line that was in a file before is known: by `id_column`, else by its day, amount, text and payer.",
  form: bankForm,
  success: read("Every line; `incoming_id` is what it is among the payments that arrived."),
  run: ({ db, by, input, now }) => counted(takeBankFile(db, by, input, { now })),
});

export const incomingOperations = [list, get, raw, assign, dismiss, assignMany, previewFile, takeFile];
