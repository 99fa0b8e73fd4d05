import { Type } from "@sinclair/typebox";
import { subscriberIds } from "../../domain/around/bulk/input.ts";
import { bulkJob, bulkResults, listBulkJobs, listBulkRows } from "../../domain/around/bulk/jobs.ts";
import { bulkFields, bulkName } from "../../domain/around/bulk/operations.ts";
import { previewBulk, readSelection, selectionFields } from "../../domain/around/bulk/preview.ts";
import { permitBulk, startBulk } from "../../domain/around/bulk/start.ts";
import { oneOf } from "../../domain/core/fields/fields.ts";
import {
  bulkJobSchema,
  bulkRowSchema,
  exampleBulkJob,
  exampleBulkRow,
  examplePreview,
  previewSchema,
  bulkJobToJson,
  bulkRowToJson,
  previewToJson,
} from "../../wire/bulk.ts";
import { managementForm, noForm } from "../form.ts";
import { listed, logged } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/bulk";
const tags: [string] = ["Bulk operations"];
const ids = { id: "bulk operation" };
const refusals = { 404: "There is no such bulk operation." };

const preview = managed({
  method: "POST",
  path: `${PREFIX}/preview`,
  takesKey: false,
  operation: "previewBulk",
  operationId: "previewBulk",
  tags,
  summary: "See whom an operation on many subscribers would reach",
  description:
    "By the filters of the list of subscribers, or by `ids`; all that is given must match. Nobody who is archived is reached. Changes nothing; what is started takes the `ids` of the answer.",
  form: {
    fields: selectionFields,
    required: [],
    example: { package_id: 7, profile_status: "active" },
    read: readSelection,
    narrowedBy: ["isp_id", "branch_id"],
  },
  success: { description: "Whom it would reach.", schema: previewSchema, example: examplePreview },
  refusals: { 400: "More than 50,000 subscribers match." },
  run: ({ db, by, values: value, now }) => previewToJson(previewBulk(db, by, value, { now })),
});

const startForm = managementForm(
  { operation: bulkName, ids: subscriberIds, ...bulkFields },
  ["operation", "ids"],
  { operation: "package", ids: [42, 43], package_id: 7 },
);

const start = managed({
  method: "POST",
  path: `${PREFIX}/start`,
  operation: "startBulk",
  operationId: "startBulk",
  tags,
  summary: "Begin an operation on many subscribers",
  description:
    "Goes on in the background, after a restart too: each subscriber as by the operation on one, whose permission is needed as well, with the scope and the permissions that the account has by then. `enable`, `disable` and `archive` take nothing else (open sessions are ended within a minute); `extend` a `reason`, `hours` or `until` and perhaps `trust` (an open session that ends at the old end is let in again at once); `package` a `package_id`, which counts from the next renewal; `salesperson` a `salesperson_id`; `router` a `nas_id`; `sms` an `sms_status`; `auto_renew` an `auto_renew`; `area` an `area_id`, perhaps with `city_id` and `subarea_id`, which is cleared where it is not sent; `message` a `channel_id`, a `template` or a `body` with perhaps a `subject`, and perhaps `send_at`, each with a turn of its own at the rate of the channel, none to who wants no messages. A field of another operation is refused.",
  form: startForm,
  success: {
    description: "Begun; `id` is what to ask for its progress with.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "Bulk operation started.", id: 12 },
  },
  refusals: { 404: "None of the subscribers is there to see." },
  needsKey: true,
  once: ({ by, values: { operation } }) => permitBulk(by, operation),
  run: ({ db, by, values: { operation, ids }, input, now }) => {
    const { operation: _, ids: __, isp_id: ___, branch_id: ____, ...value } = input;
    return {
      success: "Bulk operation started.",
      id: startBulk(db, by, { operation, ids, values: value }, { now }),
    };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "bulkJob",
  operationId: "getBulk",
  tags,
  summary: "Get how far an operation on many subscribers is",
  form: noForm,
  ids,
  success: { description: "Its progress.", schema: bulkJobSchema, example: exampleBulkJob },
  refusals,
  run: ({ db, by, ids: { id } }) => bulkJobToJson(bulkJob(db, by, id)),
});

const rows = listed({
  path: `${PREFIX}/rows/:id`,
  operation: "listBulkRows",
  operationId: "listBulkRows",
  tags,
  summary: "List what came of each subscriber",
  description: "In the order in which they are tried.",
  ids,
  filters: { result: oneOf(...bulkResults) },
  sorts: ["position"],
  record: bulkRowSchema,
  example: exampleBulkRow,
  refusals,
  page: ({ db, by, ids: { id }, values: { result } }, { limit, offset, descending }) => {
    const found = listBulkRows(db, by, id, { result: result ?? null, descending, limit, offset });
    return { records: found.rows.map(bulkRowToJson), total: found.total };
  },
});

const list = logged({
  path: `${PREFIX}/list`,
  operation: "listBulkJobs",
  operationId: "listBulk",
  tags,
  summary: "List the operations on many subscribers",
  description: "Those of the ISP; an account of a part of it sees its own.",
  filters: { operation: bulkName },
  record: bulkJobSchema,
  example: exampleBulkJob,
  page: ({ db, by, values: { operation } }, paging) =>
    listBulkJobs(db, by, { operation: operation ?? null, ...paging }).map(bulkJobToJson),
});

export const bulkOperations = [preview, start, get, rows, list];
