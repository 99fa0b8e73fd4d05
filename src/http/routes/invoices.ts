import { from, id, oneOf, text, to } from "../../domain/core/fields/fields.ts";
import {
  changedInvoices,
  invoiceById,
  invoiceStates,
  listInvoices,
} from "../../domain/money/invoices/find.ts";
import { invoicePrintout } from "../../domain/desk/printouts/printout.ts";
import {
  exampleInvoice,
  examplePrintedInvoice,
  invoiceSchema,
  printedInvoice,
  printedInvoiceSchema,
  invoiceToJson,
} from "../../wire/invoice.ts";
import { CHANGES, followed, withChanges } from "../changes.ts";
import { noForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/invoice";
const tags: [string] = ["Money"];

const list = logged({
  path: `${PREFIX}/list`,
  operation: "listInvoices",
  operationId: "listInvoices",
  tags,
  summary: "List invoices",
  description: CHANGES(`${PREFIX}/changes`),
  filters: {
    user_id: id,
    number: text(40),
    package_id: id,
    seller_id: id,
    state: oneOf(...invoiceStates),
    from,
    to,
  },
  record: invoiceSchema,
  example: exampleInvoice,
  page: ({ db, by, values: value }, paging) => {
    const { user_id: subscriberId, package_id: packageId, seller_id: sellerId, ...filters } = value;
    return listInvoices(db, by, { ...filters, subscriberId, packageId, sellerId }, paging).map(invoiceToJson);
  },
});

const changes = followed({
  path: `${PREFIX}/changes`,
  operation: "changedInvoices",
  operationId: "listInvoiceChanges",
  tags,
  summary: "List the invoices that were changed since a cursor",
  description:
    "Written, paid or opened again, credited, made void, or of a subscriber who is called otherwise now.",
  record: invoiceSchema,
  example: exampleInvoice,
  page: ({ db, by }, position) => {
    const { records, ...more } = changedInvoices(db, by, position);
    return { ...more, records: records.map(invoiceToJson) };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "invoiceById",
  operationId: "getInvoice",
  tags,
  summary: "Get an invoice, with all that it prints",
  named: "invoice_id",
  form: noForm,
  ids: { id: "invoice" },
  success: {
    description: "The record with its credit notes; `print` is what the paper says beside it.",
    schema: printedInvoiceSchema,
    example: examplePrintedInvoice,
  },
  refusals: { 404: "There is no such invoice." },
  run: ({ db, by, ids: { id } }) => {
    const found = invoiceById(db, by, id);
    return printedInvoice(found, invoicePrintout(db, found.invoice));
  },
});

export const invoiceOperations = [withChanges(list, changes), changes, get];
