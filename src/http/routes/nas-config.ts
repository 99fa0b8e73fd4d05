import { Type } from "@sinclair/typebox";
import { id } from "../../domain/core/fields/fields.ts";
import { configChanges } from "../../domain/goods/router-config/compare.ts";
import { configCopies } from "../../domain/goods/router-config/copies.ts";
import { keepConfig } from "../../domain/goods/router-config/keep.ts";
import { configText } from "../../domain/goods/router-config/text.ts";
import { text } from "../../wire/kinds.ts";
import {
  configChangesSchema,
  configCopySchema,
  exampleConfigChanges,
  exampleConfigCopy,
  configChangesToJson,
  configCopyToJson,
} from "../../wire/router-config.ts";
import { managementForm, noForm } from "../form.ts";
import { managed } from "../operation.ts";
import { writeTime } from "../../wire/time.ts";

const PREFIX = "/api/v1/nas/config";
const tags: [string] = ["Router configurations"];
const narrowedBy = ["isp_id"] as const;
const wholeIsp = "Accounts of one branch and Resellers: 403.";
const unknown = "There is no such router, or no such copy of it.";

const list = managed({
  method: "GET",
  path: `${PREFIX}/list/:id`,
  operation: "configCopies",
  operationId: "listNasConfigs",
  tags,
  summary: "List the configurations of a router that were kept",
  description:
    "The newest first, without their texts. `failure` says why the last look read none, `note` why its menus were read in place of an export.",
  form: noForm,
  ids: { id: "router" },
  success: {
    description: "The copies.",
    schema: Type.Object({
      copies: Type.Array(configCopySchema),
      tried_at: text,
      failure: text,
      note: text,
    }),
    example: {
      copies: [exampleConfigCopy],
      tried_at: "2026-11-28 03:00:03",
      failure: null,
      note: null,
    },
  },
  refusals: { 404: "There is no such router." },
  run: ({ db, by, ids: { id: nasId } }) => {
    const { copies, last } = configCopies(db, by, nasId);
    return {
      copies: copies.map(configCopyToJson),
      tried_at: last && writeTime(last.triedAt),
      failure: last?.failure ?? null,
      note: last?.note ?? null,
    };
  },
});

const save = managed({
  method: "POST",
  path: `${PREFIX}/save`,
  awaits: true,
  operation: "keepConfig",
  operationId: "keepNasConfig",
  tags,
  summary: "Read and keep the configuration of a router",
  description: `As \`gatehouse nas config NAME save\`: by the account of its RouterOS API. Where nothing but the head line differs from the last copy, that one was seen again. ${wholeIsp}`,
  form: { ...managementForm({ id }, ["id"], { id: 1 }), narrowedBy },
  success: {
    description: "The copy that says what the router has now.",
    schema: Type.Object({ changed: Type.Boolean(), copy: configCopySchema, note: text }),
    example: { changed: true, copy: exampleConfigCopy, note: null },
  },
  refusals: {
    404: "There is no such router.",
    400: "It has no RouterOS, or no account of its API, or its configuration is longer than 4 MB.",
    409: "Somebody sets it up or reads it at this moment.",
    502: "The router was not reached, or refused.",
  },
  run: async ({ db, by, values: value, now, nasTools: { readConfig } }) => {
    const { copy, isNew, note } = await keepConfig(db, by, value.id, { now, read: readConfig });
    return { changed: isNew, copy: configCopyToJson(copy), note };
  },
});

const read = managed({
  method: "POST",
  path: `${PREFIX}/read`,
  takesKey: false,
  operation: "configText",
  operationId: "readNasConfig",
  tags,
  summary: "Read a configuration of a router that was kept",
  description: `Who read it stands in the audit trail. It lacks what an export lacks: passwords, keys, certificates, User Manager. ${wholeIsp}`,
  form: { ...managementForm({ id, copy: id }, ["id", "copy"], { id: 1, copy: 12 }), narrowedBy },
  success: {
    description: "The text of the copy.",
    schema: Type.Object({ copy: configCopySchema, text: Type.String() }),
    example: {
      copy: exampleConfigCopy,
      text: "# 2026-11-22 03:00:03 by RouterOS 7.16.1\n/system identity\nset name=core\n",
    },
  },
  refusals: { 404: unknown },
  run: ({ db, by, values: value, now }) => {
    const found = configText(db, by, { nasId: value.id, copyId: value.copy }, { now });
    return { copy: configCopyToJson(found), text: found.text };
  },
});

const diff = managed({
  method: "GET",
  path: `${PREFIX}/diff/:id`,
  operation: "configChanges",
  operationId: "diffNasConfigs",
  tags,
  summary: "Say what of a router's configuration was changed",
  description: `From copy \`from\` to copy \`to\`; by default the newest, and the one before it. \`missing\` are menus that the router did not say in one of both, which are not compared; null: it broke off, and what only one of both has is not. ${wholeIsp}`,
  form: {
    ...managementForm({ from: id, to: id }, [], { from: 11, to: 12 }),
    narrowedBy,
  },
  ids: { id: "router" },
  success: {
    description: "What was added, taken away, changed and moved, by menu.",
    schema: Type.Composite([
      Type.Object({ before: configCopySchema, after: configCopySchema }),
      configChangesSchema,
    ]),
    example: {
      before: { ...exampleConfigCopy, id: 11 },
      after: exampleConfigCopy,
      ...exampleConfigChanges,
    },
  },
  refusals: { 404: unknown, 400: "There is no second copy, or both were read in two ways." },
  run: ({ db, by, ids: { id: nasId }, values: { from, to } }) => {
    const found = configChanges(db, by, { nasId, from: from ?? undefined, to: to ?? undefined });
    return {
      before: configCopyToJson(found.before),
      after: configCopyToJson(found.after),
      ...configChangesToJson(found),
    };
  },
});

export const configOperations = [list, save, read, diff];
