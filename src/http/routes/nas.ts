import { phrase } from "../../domain/core/errors/phrase.ts";
import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { addressOrCidr, field, flag, id, text } from "../../domain/core/fields/fields.ts";
import { flatRouterosFields, nasFields, requiredNasFields } from "../../domain/goods/nas/fields.ts";
import type { Nas } from "../../domain/goods/nas/find.ts";
import { endsWords } from "../../domain/goods/radsec/rules.ts";
import { nasPage, nasSorts, nasWithSources } from "../../domain/goods/nas/list.ts";
import { addNas, removeNas, updateNas } from "../../domain/goods/nas/nas.ts";
import { buildNasScript } from "../../domain/goods/router-setup/script.ts";
import { testNas } from "../../domain/goods/nas/test.ts";
import {
  exampleNas,
  exampleSeenNas,
  nasSchema,
  seenNasSchema,
  nasToJson,
  seenNasToJson,
  testStepSchema,
} from "../../wire/nas.ts";
import { done } from "../describe.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed } from "../operation.ts";
import { setupOperation } from "./nas-setup.ts";
import { watching } from "./nas-watch.ts";

const PREFIX = "/api/v1/nas";
const tags: [string] = ["Routers"];
const unknown = { 404: "There is no such router." };
const narrowedBy = ["isp_id"] as const;
const wholeIsp = "Accounts of one branch and Resellers read routers and change none: 403.";

const ipAddress = field(
  Type.String({ maxLength: 45 }),
  phrase`must be an IP address`,
  (value): string | undefined => (isIP(value) === 0 ? undefined : value),
);

/** RadSec has no CoA. */
function aboutEnds({ name, radsec, routerosHost }: Nas): string {
  return radsec === 1 ? ` ${endsWords({ name, apiHost: routerosHost })}` : "";
}

const list = listed({
  path: `${PREFIX}/list`,
  operation: "nasPage",
  operationId: "listNas",
  tags,
  summary: "List routers",
  description: "Of the caller's ISP; secrets and passwords are never shown.",
  filters: { name: text(64), address: addressOrCidr },
  sorts: nasSorts,
  record: nasSchema,
  example: exampleNas,
  page: ({ db, by, values: { name, address } }, paging) => {
    const { rows, total } = nasPage(db, by, { name, address }, paging);
    return { records: rows.map(nasToJson), total };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "nasWithSources",
  operationId: "getNas",
  tags,
  summary: "Get a router, and what was seen of it",
  form: noForm,
  ids: { id: "router" },
  success: { description: "The router.", schema: seenNasSchema, example: exampleSeenNas },
  refusals: unknown,
  run: ({ db, by, ids: { id: nasId } }) => seenNasToJson(nasWithSources(db, by, nasId)),
});

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "addNas",
  operationId: "createNas",
  tags,
  summary: "Add a router",
  description: `It may ask over RADIUS at once. With a RouterOS API, routeros_host, routeros_username and routeros_password come together. No other router of the appliance has its address, none of the ISP its name. The operator of the box sends isp_id where there are several ISPs. ${wholeIsp}`,
  form: {
    fields: { ...nasFields, ...flatRouterosFields },
    required: requiredNasFields.filter((name) => name !== "isp_id"),
    example: { isp_id: 1, name: "core", address: "10.0.0.1", secret: "a-long-secret" },
    read: () => ({}), // by the operation, which says everything that is wrong at once
    narrowedBy: [],
  },
  clears: true,
  success: {
    description: "Added.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "Router added.", id: 1 },
  },
  run: ({ db, by, input, now }) => {
    const added = addNas(db, by, input, { now });
    return { success: `Router added.${aboutEnds(added)}`, id: added.id };
  },
});

const { isp_id: _, ...changeable } = nasFields;

const update = managed({
  method: "POST",
  path: `${PREFIX}/update`,
  operation: "updateNas",
  operationId: "updateNas",
  tags,
  summary: "Change a router",
  description: `Fields that are absent stay as they are, secret and password too, but another routeros_host needs its routeros_password; routeros_host sent empty takes its RouterOS API away. isp_id is never changed: another one than the router's is 404. ${wholeIsp}`,
  form: {
    ...managementForm(
      { id, ...changeable, ...flatRouterosFields, forget_message_authenticator: flag },
      ["id"],
      { id: 1, name: "core-1", coa_port: 3799 },
    ),
    narrowedBy,
  },
  clears: true,
  success: done("Router updated."),
  refusals: {
    ...unknown,
    400: "No Message-Authenticator was seen that could be forgotten.",
  },
  run: ({ db, by, values: value, input, now }) => {
    const forget = value.forget_message_authenticator === 1 ? true : undefined;
    const updated = updateNas(db, by, { nasId: value.id, input, forget }, { now });
    return { success: `Router updated.${aboutEnds(updated)}` };
  },
});

const remove = managed({
  method: "DELETE",
  path: `${PREFIX}/delete/:id`,
  operation: "removeNas",
  operationId: "deleteNas",
  tags,
  summary: "Delete a router",
  description: `Its sessions stay in the books; those that are open end there, for nothing more will be heard of them. While subscribers point at it, it is refused unless \`detach\` is 1, which leaves them without a router. ${wholeIsp}`,
  form: { ...managementForm({ detach: flag }, [], {}), narrowedBy },
  ids: { id: "router" },
  success: {
    description: "Deleted.",
    schema: Type.Object({ success: Type.String(), detached: Type.Integer(), ended: Type.Integer() }),
    example: { success: "Router deleted.", detached: 0, ended: 2 },
  },
  refusals: { ...unknown, 400: "Subscribers point at the router." },
  run: ({ db, by, ids: { id: nasId }, values: { detach }, now }) => {
    const { detached, ended } = removeNas(db, by, { nasId, detach: detach === 1 }, { now });
    return { success: "Router deleted.", detached, ended };
  },
});

const test = managed({
  method: "POST",
  path: `${PREFIX}/test`,
  takesKey: false,
  operation: "testNas",
  operationId: "testNas",
  tags,
  summary: "Ask a router for what a disconnect needs",
  description: `As \`gatehouse nas test\`: whether it is reachable, takes Disconnect-Requests, has our secret, and lets us in to its RouterOS API. Nothing is changed. A NAS that is a network needs \`address\`, the router of it to ask. ${wholeIsp}`,
  form: {
    ...managementForm({ id, address: ipAddress }, ["id"], { id: 1 }),
    narrowedBy,
    meanings: { address: "The router to ask, where the NAS is a network." },
  },
  success: {
    description: "What was found, step by step; a step that failed says what corrects it.",
    schema: Type.Object({ ok: Type.Boolean(), steps: Type.Array(testStepSchema) }),
    example: {
      ok: true,
      steps: [
        { check: "reachable" as const, status: "ok" as const, detail: "10.0.0.1 answers", remedy: null },
      ],
    },
  },
  refusals: { ...unknown, 400: "The router is a network, of which no address was named." },
  run: async ({ db, by, values: { id: nasId, address }, nasTools: { ask } }) => {
    const steps = await testNas(db, by, { nasId, address: address ?? undefined }, { ask });
    return {
      ok: steps.every(({ status }) => status !== "failed"),
      steps: steps.map(({ check, status, detail, remedy }) => ({
        check,
        status,
        detail: detail.toString(),
        remedy,
      })),
    };
  },
});

const script = managed({
  method: "POST",
  path: `${PREFIX}/script`,
  takesKey: false,
  operation: "buildNasScript",
  operationId: "scriptOfNas",
  tags,
  summary: "Print the RouterOS commands that point a router here",
  description: `As \`gatehouse nas script\`. They contain the RADIUS secret and the password of the RouterOS API, and who asked for them stands in the audit trail. A router without a RouterOS API gets an account for it, which the commands make there and which is kept here. ${wholeIsp}`,
  form: {
    ...managementForm({ id, server: ipAddress }, ["id"], { id: 1, server: "10.0.0.254" }),
    narrowedBy,
  },
  success: {
    description: "The commands, one a line.",
    schema: Type.Object({ script: Type.String() }),
    example: { script: "/radius/incoming/set accept=yes port=3799\n" },
  },
  refusals: {
    ...unknown,
    400: "Packages put expired subscribers on an address list and the walled garden is off, or there is no way from this machine to the router.",
  },
  run: async ({ db, by, values: { id: nasId, server }, now, nasTools: { findPlace } }) => {
    const lines = await buildNasScript(db, by, nasId, {
      now,
      findPlace: (router, lists) => findPlace(router, lists, server ?? undefined),
    });
    return { script: lines.map((line) => `${line}\n`).join("") };
  },
});

export const nasOperations = [list, get, create, update, remove, test, script, setupOperation, ...watching];
