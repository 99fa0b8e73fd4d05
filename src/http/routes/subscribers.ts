import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { id, type Input } from "../../domain/fields.ts";
import { createSubscriber } from "../../domain/subscribers/create.ts";
import { profileFields, requiredProfileFields } from "../../domain/subscribers/fields.ts";
import { listFilters, listSubscribers, type Page, readFilters } from "../../domain/subscribers/list.ts";
import { subscriberRecord } from "../../domain/subscribers/record.ts";
import { updateSubscriber } from "../../domain/subscribers/update.ts";
import type { Clock } from "../../domain/time.ts";
import { describeManaged } from "../describe.ts";
import { managementForm, pathId, read, within } from "../form.ts";
import type { basicGuard } from "../guards.ts";
import { exampleProfile, exampleRecord, recordSchema } from "./subscriber-record.ts";

const PREFIX = "/api/v1/subscriber";

/** The records of subscribers. */
export function subscriberRoutes({
  db,
  clock,
  guard,
}: {
  db: Db;
  clock: Clock;
  guard: ReturnType<typeof basicGuard>;
}) {
  return new Elysia({ prefix: PREFIX })
    .use(guard)
    .get(
      "/list",
      ({ staff, input, set }) => {
        const filters = readFilters(input);
        const page = listSubscribers(db, within(staff, filters), filters, { now: clock() });
        set.headers["x-total-count"] = String(page.total);
        const next = nextPage(input, page);
        if (next) set.headers["link"] = `<${next}>; rel="next"`;
        return page.records;
      },
      describeList,
    )
    .get(
      "/get/:id",
      ({ staff, input, params }) =>
        subscriberRecord(db, within(staff, read(noForm, input)), pathId("subscriber", params.id), {
          now: clock(),
        }),
      describeGet,
    )
    .post(
      "/create",
      ({ staff, input }) => {
        const id = createSubscriber(db, staff, input, { now: clock() });
        return { success: "Subscriber created.", id };
      },
      describeCreate,
    )
    .post(
      "/update",
      ({ staff, input }) => {
        return updated(updateSubscriber(db, staff, input, { now: clock() }));
      },
      describeUpdate,
    );
}

/** Never "updated" to what it did not do. */
function updated({ isUpdated, ignored }: ReturnType<typeof updateSubscriber>) {
  const done = isUpdated ? "Subscriber updated." : "Nothing was updated.";
  if (ignored.length === 0) return { success: done };
  const fields = ignored.map(({ name, changedBy }) => `${name} (${changedBy})`).join(", ");
  return { success: `${done} Left alone: ${fields}.`, ignored: ignored.map(({ name }) => name) };
}

/** Where the next page of a list is, with the filters of this one; undefined on the last page. */
function nextPage(input: Input, { total, limit, offset }: Page): string | undefined {
  if (offset + limit >= total) return undefined;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value !== "") query.set(name, String(value));
  query.set("limit", String(limit));
  query.set("offset", String(offset + limit));
  return `${PREFIX}/list?${query}`;
}

const noForm = managementForm({}, [], {});
const tags: [string] = ["Subscribers"];

const describeList = describeManaged({
  operationId: "listSubscribers",
  tags,
  summary: "List subscribers",
  description:
    "All filters that are given must match; one that is sent empty counts as not sent, an unknown one is refused.",
  operation: "listSubscribers",
  form: { fields: listFilters, required: [], example: { limit: 100, offset: 0 } },
  success: {
    description: "A page of the records that match, in the order of their ids.",
    headers: {
      "X-Total-Count": { description: "How many match in all.", schema: Type.Integer() },
      Link: { description: 'The next page, rel="next"; absent on the last one.', schema: Type.String() },
    },
    schema: Type.Array(recordSchema),
    example: [exampleRecord],
  },
});

const describeGet = describeManaged({
  operationId: "getSubscriber",
  tags,
  summary: "Get a subscriber",
  operation: "subscriberRecord",
  form: noForm,
  path: { id },
  success: { description: "The record.", schema: recordSchema, example: exampleRecord },
  refusals: { 404: "There is no such subscriber." },
});

const describeCreate = describeManaged({
  operationId: "createSubscriber",
  tags,
  summary: "Create a subscriber",
  description:
    "Writes a profile only; activation is a call of its own. Username (without case), nic_number, mobile_number, phone_number and email belong to one subscriber of the appliance, unless its setting unique_contacts is 0; a static_ip or IPv6 prefix to one of the ISP. Another ISP, branch or salesperson than the caller's is 403, and so is mac_login 1 without the permission `subscriber_mac`.",
  operation: "createSubscriber",
  form: { fields: profileFields, required: requiredProfileFields, example: exampleProfile },
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "Subscriber created.", id: 42 },
  },
});

const describeUpdate = describeManaged({
  operationId: "updateSubscriber",
  tags,
  summary: "Change the profile of the subscriber of a username",
  description:
    "Fields that are absent stay as they are, optional ones sent empty are cleared; username and isp_id are never changed. Status, connection and MAC lock stay. Another package counts from the next activation. A password also needs the permission `subscriber_password`, another mac_login `subscriber_mac`: else 403.",
  operation: "updateSubscriber",
  form: {
    fields: profileFields,
    required: ["username"],
    example: { username: "sam", name: "Sam Doe", phone_number: "" },
  },
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
});
