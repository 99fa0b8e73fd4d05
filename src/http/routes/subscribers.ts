import { Type } from "@sinclair/typebox";
import { sharedPortNote } from "../../domain/service/boxes/port.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import { createSubscriber } from "../../domain/goods/subscribers/create.ts";
import { profileFields, requiredProfileFields } from "../../domain/goods/subscribers/fields.ts";
import { seeingArchived } from "../../domain/core/actor/actor.ts";
import {
  changedSubscribers,
  everyListed,
  listFilters,
  listSubscribers,
  type Page,
  readFilters,
} from "../../domain/goods/subscribers/list.ts";
import { type SubscriberRecord, subscriberRecord } from "../../domain/goods/subscribers/record.ts";
import { subscriberByUsername } from "../../domain/goods/subscribers/find.ts";
import { updateSubscriber } from "../../domain/goods/subscribers/update.ts";
import {
  exampleProfile,
  exampleRecord,
  listedNames,
  recordSchema,
  subscriberToJson,
} from "../../wire/subscriber.ts";
import { CHANGES, followed, withChanges } from "../changes.ts";
import { archivedToo, type ManagementForm } from "../form.ts";
import { file, pageHeaders } from "../list.ts";
import { managed, anybodyMayRepeat } from "../operation.ts";

const PREFIX = "/api/v1/subscriber";
const tags: [string] = ["Subscribers"];

const list = managed({
  method: "GET",
  path: `${PREFIX}/list`,
  operation: "listSubscribers",
  operationId: "listSubscribers",
  tags,
  summary: "List subscribers",
  description:
    "All filters that are given must match; one that is sent empty counts as not sent, an unknown one is refused. With `Accept: text/csv` all that match are sent as a file, whatever the page. " +
    CHANGES(`${PREFIX}/changes`),
  form: {
    fields: listFilters,
    required: [],
    example: { limit: 100, offset: 0 },
    read: readFilters,
    narrowedBy: ["isp_id", "branch_id"],
  },
  success: {
    description:
      "A page of the records that match, in the order of their ids unless `sort` names another one.",
    headers: pageHeaders,
    schema: Type.Array(recordSchema),
    example: [exampleRecord],
  },
  run: ({ db, by, values: filters, input, now, headers }) => {
    const page = listSubscribers(db, by, filters, { now });
    headers["x-total-count"] = String(page.total);
    const next = nextPage(input, page);
    if (next) headers["link"] = `<${next}>; rel="next"`;
    return page.records.map(subscriberToJson);
  },
  csv: ({ db, by, values: filters, now }, line) =>
    file("subscribers", listedNames, visiblePages(everyListed(db, by, filters, { now })), {
      line,
      record: recordSchema,
    }),
});

const changes = followed({
  path: `${PREFIX}/changes`,
  operation: "changedSubscribers",
  operationId: "listSubscriberChanges",
  tags,
  summary: "List the subscribers that were changed since a cursor",
  description:
    "Who left comes with `archived_at`. A sale, a payment, an expiry count as much as another name. Who is online does not, which is a state: session/list?open=1.",
  record: recordSchema,
  example: exampleRecord,
  page: ({ db, by, now }, position) => {
    const { records, ...more } = changedSubscribers(db, by, position, { now });
    return { ...more, records: records.map(subscriberToJson) };
  },
});

function* visiblePages(pages: Iterable<readonly SubscriberRecord[]>) {
  for (const records of pages) yield records.map(subscriberToJson);
}

/** The address of the next page; undefined on the last one. */
function nextPage(input: Input, { total, limit, offset }: Page): string | undefined {
  if (offset + limit >= total) return undefined;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value !== "") query.set(name, String(value));
  query.set("limit", String(limit));
  query.set("offset", String(offset + limit));
  return `${PREFIX}/list?${query}`;
}

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "subscriberRecord",
  operationId: "getSubscriber",
  tags,
  summary: "Get a subscriber",
  form: archivedToo,
  named: "user_id",
  ids: { id: "subscriber" },
  success: { description: "The record.", schema: recordSchema, example: exampleRecord },
  refusals: { 404: "There is no such subscriber." },
  run: ({ db, by, ids: { id }, values: { archived }, now }) =>
    subscriberToJson(subscriberRecord(db, seeingArchived(by, archived), id, { now })),
});

/** The operation reads the profile, isp_id included, to report values and references at once. */
const readByOperation: Pick<ManagementForm<object>, "read" | "narrowedBy"> = {
  read: () => ({}),
  narrowedBy: [],
};

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createSubscriber",
  operationId: "createSubscriber",
  tags,
  summary: "Create a subscriber",
  description:
    "Writes a profile only; activation is a call of its own. Username (without case), nic_number, mobile_number, phone_number and email belong to one subscriber of the appliance, unless its setting unique_contacts is 0; a static_ip or IPv6 prefix to one of the ISP. Two may hang on one port of a box: `success` says so. Another ISP, branch or salesperson than the caller's is 403, and so is mac_login 1 without the permission `subscriber_mac`.",
  form: {
    fields: profileFields,
    required: requiredProfileFields,
    example: exampleProfile,
    ...readByOperation,
  },
  clears: true,
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "Subscriber created.", id: 42 },
  },
  once: anybodyMayRepeat,
  run: ({ db, by, input, now }) => {
    const id = createSubscriber(db, by, input, { now });
    return { success: withNote("Subscriber created.", sharedPortNote(db, by.scope, id)), id };
  },
});

const update = managed({
  method: "POST",
  path: `${PREFIX}/update`,
  operation: "updateSubscriber",
  operationId: "updateSubscriber",
  tags,
  summary: "Change the profile of the subscriber of a username",
  description:
    "Fields that are absent stay as they are, optional ones sent empty are cleared; username and isp_id are never changed. Status, connection and MAC lock stay. Another package counts from the next activation. A password also needs the permission `subscriber_password`, another mac_login `subscriber_mac`: else 403.",
  form: {
    fields: profileFields,
    required: ["username"],
    example: { username: "sam", name: "Sam Doe", phone_number: "" },
    ...readByOperation,
  },
  clears: true,
  success: {
    description:
      "Changed, as far as `success` says. Fields that are not of the profile are left alone: `success` names each with the operation that changes it, unless it was sent as it stands.",
    schema: Type.Object({
      success: Type.String(),
      ignored: Type.Optional(
        Type.Array(Type.String(), {
          description: "Names of the fields that were left alone; absent when there are none",
        }),
      ),
    }),
    example: {
      success: "Subscriber updated. Left alone: balance (gatehouse subscriber credit).",
      ignored: ["balance"],
    },
  },
  refusals: { 404: "There is no such subscriber in the ISP." },
  record: ({ db, by, input: { username } }) =>
    typeof username === "string" ? subscriberByUsername(db, by.scope, username).id : undefined,
  run: ({ db, by, input, now }) => {
    const { id, ...outcome } = updateSubscriber(db, by, input, { now, toJson: subscriberToJson });
    const { success, ...more } = updated(outcome);
    const isMoved = ["box_number", "uplink_port", "switch_port"].some((name) => name in input);
    return { success: withNote(success, isMoved ? sharedPortNote(db, by.scope, id) : null), ...more };
  },
});

/** Reports what was not changed. */
function updated({ isUpdated, ignored }: Omit<ReturnType<typeof updateSubscriber>, "id">) {
  const done = isUpdated ? "Subscriber updated." : "Nothing was updated.";
  if (ignored.length === 0) return { success: done };
  const list = ignored.map(({ name, changedBy }) => `${name} (${changedBy})`).join(", ");
  return { success: `${done} Left alone: ${list}.`, ignored: ignored.map(({ name }) => name) };
}

export const withNote = (done: string, note: string | null) => (note === null ? done : `${done} ${note}`);

export const subscriberOperations = [withChanges(list, changes), changes, get, create, update];
