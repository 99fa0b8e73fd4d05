import { Type } from "@sinclair/typebox";
import { closeTill } from "../../domain/money/closings/close.ts";
import { confirmClosing } from "../../domain/money/closings/confirm.ts";
import { findClosing, listClosings } from "../../domain/money/closings/find.ts";
import { openTill } from "../../domain/money/closings/till.ts";
import { amount, flag, id, price, text } from "../../domain/core/fields/fields.ts";
import {
  closingSchema,
  exampleClosing,
  exampleTill,
  closingToJson,
  tillToJson,
  tillSchema,
} from "../../wire/closing.ts";
import { managementForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/closing";
const tags: [string] = ["Money"];

const open = managed({
  method: "GET",
  path: `${PREFIX}/open`,
  operation: "openTill",
  operationId: "openTill",
  tags,
  summary: "Say what somebody should have in the till now",
  description:
    "Cash that was taken since the last close, less cash handed back and payments of theirs that were reversed since. Other methods are listed and not counted. Another account than the own needs the permission `closing_manage`.",
  form: managementForm({ staff_id: id }, [], { staff_id: 4 }),
  success: { description: "The figure, and what it is made of.", schema: tillSchema, example: exampleTill },
  refusals: { 404: "There is no such account.", 422: "Who asks has no till." },
  run: ({ db, by, values: { staff_id } }) =>
    tillToJson(openTill(db, by, typeof staff_id === "number" ? { staffId: staff_id } : {})),
});

const close = managed({
  method: "POST",
  path: `${PREFIX}/close`,
  operation: "closeTill",
  operationId: "closeTill",
  tags,
  summary: "Close the own day: what the till should hold, what was counted, and the difference",
  description:
    "What was taken until now is in this close. With `expected`, the figure that was counted against, it is refused where money moved meanwhile.",
  form: managementForm({ counted: price, expected: amount, note: text(500, { lines: true }) }, ["counted"], {
    counted: 307.5,
    expected: 308,
  }),
  success: { description: "Closed.", schema: closingSchema, example: exampleClosing },
  refusals: {
    404: "There is no such account.",
    409: "Money moved since `expected` was shown.",
    422: "Who asks has no till.",
  },
  once: ({ db, by }) => void openTill(db, by, {}),
  run: ({ db, by, values: { counted, expected, note }, now }) =>
    closingToJson(findClosing(db, by.scope, closeTill(db, by, { counted, expected, note }, { now }))),
});

const confirm = managed({
  method: "POST",
  path: `${PREFIX}/confirm`,
  operation: "confirmClosing",
  operationId: "confirmClosing",
  tags,
  summary: "Confirm the day's close of somebody else",
  description: "The cash was handed on as it was counted. One's own only where there is no other Admin.",
  form: managementForm({ id }, ["id"], { id: 31 }),
  success: {
    description: "Confirmed.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: "Day's close confirmed." },
  },
  refusals: { 404: "There is no such close.", 409: "It is confirmed already." },
  run: ({ db, by, values: { id: closingId }, now }) => {
    confirmClosing(db, by, { closingId }, { now });
    return { success: "Day's close confirmed." };
  },
});

const list = logged({
  path: `${PREFIX}/list`,
  operation: "listClosings",
  operationId: "listClosings",
  tags,
  summary: "List day's closes: the own ones, with `closing_manage` those of everybody",
  filters: { staff_id: id, confirmed: flag },
  record: closingSchema,
  example: exampleClosing,
  page: ({ db, by, values: { staff_id: staffId, confirmed } }, paging) => {
    const isConfirmed = typeof confirmed === "number" ? confirmed === 1 : undefined;
    return listClosings(db, by, { staffId, isConfirmed }, paging).map(closingToJson);
  },
});

export const closingOperations = [open, close, confirm, list];
