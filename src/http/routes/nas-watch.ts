import { phrase } from "../../domain/core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { type Field, field, id, text } from "../../domain/core/fields/fields.ts";
import { routerFindings } from "../../domain/service/router-watch/findings.ts";
import { hideFinding, showFinding } from "../../domain/service/router-watch/hide.ts";
import { mendDifference, mendFindings } from "../../domain/service/router-watch/mend.ts";
import { watchRouters } from "../../domain/service/router-watch/watch.ts";
import {
  exampleFinding,
  exampleReading,
  findingSchema,
  mendSchema,
  readingSchema,
  findingToJson,
  mendToJson,
  readingToJson,
} from "../../wire/router-watch.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/nas";
const tags: [string] = ["Routers"];
const unknown = { 404: "There is no such router, or no such finding any more." };
const wholeIsp = "Accounts of one branch and Resellers read routers and change none: 403.";
const away = { 502: "The router was not reached, or refused." };
const narrowedBy = ["isp_id"] as const;

/** What is known of routers, with the state of the last look at each. */
const known = {
  schema: Type.Object({ findings: Type.Array(findingSchema), readings: Type.Array(readingSchema) }),
  example: { findings: [exampleFinding], readings: [exampleReading] },
};
const knownToJson = ({ findings, readings }: ReturnType<typeof routerFindings>) => ({
  findings: findings.map(findingToJson),
  readings: readings.map(readingToJson),
});

const MOST = 500;
/** Unique ids: a JSON list, or comma-separated. */
const findingIds: Field<readonly number[]> = field(
  Type.Union([
    Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MOST }),
    Type.String({ pattern: "^[0-9]{1,15}(,[0-9]{1,15})*$" }),
  ]),
  phrase`must be 1 to ${MOST} ids, as a list or with commas between them`,
  (value) => {
    const ids = [...new Set(typeof value === "string" ? value.split(",").map(Number) : value)];
    return ids.length <= MOST ? ids : undefined;
  },
);

const findings = managed({
  method: "GET",
  path: `${PREFIX}/findings`,
  operation: "routerFindings",
  operationId: "listRouterFindings",
  tags,
  summary: "What is not as it should be at routers",
  description:
    "As `gatehouse nas watch` found it, of the routers of the caller's ISP that have an account for their API, or of one (`nas_id`). A finding counts since `counted_at`, when a second look agreed; `hidden` are those that are meant so. `not_looked_at` names what the last look says nothing of: what is not named there and not found is as it should be.",
  form: managementForm({ nas_id: id }, [], { nas_id: 1 }),
  success: {
    description: "The findings, errors first for each router, and how the last look at each went.",
    ...known,
  },
  refusals: unknown,
  run: ({ db, by, values: { nas_id: nasId } }) => {
    return knownToJson(routerFindings(db, by, { nasId: nasId ?? undefined }));
  },
});

const watch = managed({
  method: "POST",
  path: `${PREFIX}/watch`,
  awaits: true,
  operation: "watchRouters",
  operationId: "watchRouter",
  tags,
  summary: "Look at a router now",
  description: `Reads it by its RouterOS API with the account that is kept, and changes nothing there. ${wholeIsp}`,
  form: { ...managementForm({ id }, ["id"], { id: 1 }), narrowedBy },
  success: {
    description: "Whether it was read, and what the findings are now.",
    ...known,
  },
  refusals: { ...unknown, 400: "There is no account for its API." },
  run: async ({ db, by, values: { id: nasId }, clock, arrivals, nasTools }) => {
    await watchRouters(db, by, { nasId }, { clock, arrivals, nasTools });
    return knownToJson(routerFindings(db, by, { nasId }));
  },
});

const mend = managed({
  method: "POST",
  path: `${PREFIX}/mend`,
  awaits: true,
  operation: "mendFindings",
  operationId: "mendRouter",
  tags,
  summary: "Mend findings at a router by its RouterOS API",
  description: `Without \`digest\` it reads the router and answers what would change there, and changes nothing. With the \`digest\` of that answer it makes it so and reads the router again; where the router is not what it was, \`outcome\` is \`other\`, and nothing is done. By the account that is kept, or where that may only read by the login that is sent, which is kept nowhere. ${wholeIsp}`,
  form: {
    ...managementForm(
      { id, findings: findingIds, digest: text(64), username: text(64), password: text(128) },
      ["id", "findings"],
      { id: 1, findings: [1] },
    ),
    narrowedBy,
    meanings: {
      findings: "The findings to mend, by their ids.",
      username: "Who signs in at the router for it, where our account may only read.",
      password: "Its password, which is kept nowhere.",
    },
  },
  success: {
    description: "What changes, and what came of it.",
    schema: mendSchema,
    example: {
      outcome: "shown" as const,
      reason: null,
      version: "7.21",
      digest: "5f2a",
      gone: 0,
      changes: [
        {
          change: "set" as const,
          menu: "/ppp/secret",
          values: { disabled: "yes" },
          before: { disabled: "false" },
        },
      ],
    },
  },
  refusals: {
    ...unknown,
    ...away,
    400: "The API cannot mend it, or there is no account for it.",
    409: "Somebody sets it up at this moment.",
  },
  run: async ({ db, by, values: value, clock, arrivals, nasTools }) => {
    const { id: nasId, findings: ids, digest, username, password } = value;
    const login = username ? { username, password: password ?? "" } : undefined;
    const tools = { clock, arrivals, nasTools };
    const request = { nasId, ids, login };
    if (!digest) return mendToJson({ difference: await mendDifference(db, by, request, tools) });
    return mendToJson(await mendFindings(db, by, { ...request, digest }, tools));
  },
});

const about = { nas_id: id, id };
const aboutMeanings = { id: "Number of the finding." };

const hide = managed({
  method: "POST",
  path: `${PREFIX}/finding/hide`,
  operation: "hideFinding",
  operationId: "hideRouterFinding",
  tags,
  summary: "Say that a finding is meant so",
  description: `It is neither told nor counted until what was found at the router changes. Who said so, and why, stands in the audit trail. ${wholeIsp}`,
  form: {
    ...managementForm({ ...about, reason: text(300) }, ["nas_id", "id", "reason"], {
      nas_id: 1,
      id: 1,
      reason: "the office's own line",
    }),
    narrowedBy,
    meanings: { ...aboutMeanings, reason: "Why it is meant so." },
  },
  success: { description: "Hidden.", schema: findingSchema, example: exampleFinding },
  refusals: unknown,
  run: ({ db, by, values: { nas_id: nasId, id: finding, reason }, now }) =>
    findingToJson(hideFinding(db, by, { nasId, id: finding, input: { reason } }, { now })),
});

const show = managed({
  method: "POST",
  path: `${PREFIX}/finding/show`,
  operation: "showFinding",
  operationId: "showRouterFinding",
  tags,
  summary: "Tell of a finding again that was said to be meant so",
  description: wholeIsp,
  form: {
    ...managementForm(about, ["nas_id", "id"], { nas_id: 1, id: 1 }),
    narrowedBy,
    meanings: aboutMeanings,
  },
  success: { description: "Shown again.", schema: findingSchema, example: exampleFinding },
  refusals: unknown,
  run: ({ db, by, values: { nas_id: nasId, id: finding }, now }) =>
    findingToJson(showFinding(db, by, { nasId, id: finding }, { now })),
});

export const watching = [findings, watch, mend, hide, show];
