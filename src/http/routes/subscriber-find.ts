import { Type } from "@sinclair/typebox";
import { explainWhy } from "../../domain/service/access/why.ts";
import { readStatement } from "../../domain/money/billing/statement.ts";
import { flag, from, string, text, time, to } from "../../domain/core/fields/fields.ts";
import { seeingArchived } from "../../domain/core/actor/actor.ts";
import { listBoxMembers } from "../../domain/goods/subscribers/box.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { searchSubscribers } from "../../domain/desk/search/search.ts";
import {
  boxMemberSchema,
  exampleBoxMember,
  exampleHit,
  exampleWhy,
  hitSchema,
  boxMemberToJson,
  hitToJson,
  whyToJson,
  whySchema,
} from "../../wire/found.ts";
import { exampleStatement, statementToJson, statementSchema } from "../../wire/statement.ts";
import { managementForm, noForm } from "../form.ts";
import { shortFile, strict } from "../list.ts";
import { type Call, managed } from "../operation.ts";

const PREFIX = "/api/v1/subscriber";
const tags: [string] = ["Subscribers"];
const ids = { id: "subscriber" };
const refusals = { 404: "There is no such subscriber." };

type Search = Pick<Call<{ q: string; at?: Seconds | null }, string>, "db" | "by" | "values" | "now">;
const found = ({ db, by, values: { q, at }, now }: Search) =>
  searchSubscribers(db, by, { q, at: at ?? undefined }, { now }).map(hitToJson);

const search = managed({
  method: "GET",
  path: `${PREFIX}/search`,
  operation: "searchSubscribers",
  operationId: "searchSubscribers",
  tags,
  summary: "Find subscribers by any part of what is known of them",
  description:
    "Name, username, telephone numbers however they are spaced, nic_number, address, box, MAC address with or without separators, static IP, e-mail, id, and the address of an open session; with `at`, who had the address `q` at that time. What is `q` as a whole comes before what begins with it, what begins with it before what has it anywhere, and who left at the end. Fewer than three characters find what begins with them.",
  form: strict(managementForm({ q: text(100), at: time }, ["q"], { q: "sam" })),
  success: {
    description: "The 20 that match best.",
    schema: Type.Array(hitSchema),
    example: [exampleHit],
  },
  run: found,
  csv: (call, line) => shortFile("searchSubscribers", hitSchema, found(call), line),
});

type Box = Pick<Call<{ box_number: string }, string>, "db" | "by" | "values" | "now">;
const members = ({ db, by, values: { box_number: boxNumber }, now }: Box) =>
  listBoxMembers(db, by, { boxNumber }, { now }).map(boxMemberToJson);

const box = managed({
  method: "GET",
  path: `${PREFIX}/box`,
  operation: "listBoxMembers",
  operationId: "getBox",
  tags,
  summary: "Who hangs on a distribution box, and who of them is online",
  form: strict(managementForm({ box_number: string(100) }, ["box_number"], { box_number: "B-12" })),
  success: {
    description: "Those who have this box_number, by their ports; nobody for a number that nobody has.",
    schema: Type.Array(boxMemberSchema),
    example: [exampleBoxMember],
  },
  run: members,
  csv: (call, line) => shortFile("getBox", boxMemberSchema, members(call), line),
});

const why = managed({
  method: "GET",
  path: `${PREFIX}/why/:id`,
  operation: "explainWhy",
  operationId: "getWhy",
  tags,
  summary: "Why a subscriber is online or not, and what to do",
  form: noForm,
  ids,
  success: {
    description:
      "The reason in one sentence, what to do, and what shows it: the last decisions, the newest first.",
    schema: whySchema,
    example: exampleWhy,
  },
  refusals,
  run: ({ db, by, ids: { id }, now }) => whyToJson(id, explainWhy(db, by, id, { now })),
});

const statement = managed({
  method: "GET",
  path: `${PREFIX}/statement/:id`,
  operation: "readStatement",
  operationId: "getStatement",
  tags,
  summary: "The statement of a subscriber's wallet",
  form: managementForm({ from, to, archived: flag }, [], { from: "2030-01-01", to: "2030-01-31" }),
  ids,
  success: {
    description:
      "What moved between `from` and `to` with the balances before and after it, and what is open now.",
    schema: statementSchema,
    example: exampleStatement,
  },
  refusals,
  run: ({ db, by, ids: { id: subscriber }, values: value }) => {
    const { from, to, archived } = value;
    const choice = { subscriber, from: from ?? undefined, to: to ?? undefined };
    return statementToJson(readStatement(db, seeingArchived(by, archived), choice));
  },
});

export const subscriberFindOperations = [search, box, why, statement];
