import { Type } from "@sinclair/typebox";
import {
  createKey,
  keyById,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
  type WithSecret,
} from "../../domain/people/api-keys/api-keys.ts";
import { keyFields, newKeyFields, rotationFields } from "../../domain/people/api-keys/fields.ts";
import { flag } from "../../domain/core/fields/fields.ts";
import { keyCalls } from "../../domain/people/api-keys/calls.ts";
import {
  apiKeySchema,
  apiKeyToJson,
  exampleApiKey,
  exampleKeyCall,
  keyCallSchema,
  keyCallToJson,
} from "../../wire/api-key.ts";
import { managementForm, noForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";
import { declareNoun, doneWith, getCall, listCall, updateCall } from "../plain.ts";

const PREFIX = "/api/v1/api_key";
const tags: [string] = ["API keys"];
const noun = declareNoun({
  prefix: PREFIX,
  tags,
  name: "ApiKey",
  one: "API key",
  key: "api_key",
  record: apiKeySchema,
  example: exampleApiKey,
  toJson: apiKeyToJson,
});
const ids = { id: "API key" };
const refusals = { 404: "There is no such API key.", 400: "A field is at fault, or the key was revoked." };

/** What is shown once, so that no answer of it is kept: a key cannot be made twice under one name, and a new secret that was lost is replaced by the next. */
const withSecret = {
  description:
    "`secret` is answered this once. It goes with every call: `key:secret` by HTTP Basic, or as a Bearer.",
  schema: Type.Object({ success: Type.String(), api_key: apiKeySchema, secret: Type.String() }),
  example: {
    success: "The key is there.",
    api_key: exampleApiKey,
    secret: "mZ0d1QkqX3c8y2uV7bT4nR6wE9sA5fG1hJ2kL0pO8iU",
  },
};
const shown = (success: string, { key, secret }: WithSecret) => ({
  success,
  api_key: apiKeyToJson(key),
  secret,
});

const list = listCall(noun, {
  operation: "listKeys",
  answer: "The keys of the ISP by name, those that were revoked last.",
  run: listKeys,
});

const get = getCall(noun, { operation: "keyById", summary: "Get an API key", run: keyById });

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  takesKey: false,
  operation: "createKey",
  operationId: "createApiKey",
  tags,
  summary: "Make an API key",
  description:
    "A key may do what `flags` names of what its role has, without them all of it, in its ISP and branch, and never make a key. Its role is asked at every call: what is taken from the role is taken from the key. Nobody gives a key what they may not do themselves.",
  form: {
    ...managementForm(newKeyFields, ["name", "role_code"], {
      name: "bookkeeping",
      role_code: 3,
      flags: "payment_view, invoice_view",
    }),
    narrowedBy: [],
  },
  clears: true,
  success: withSecret,
  refusals: { 400: refusals[400] },
  run: ({ db, by, input, now }) => shown("The key is there.", createKey(db, by, input, { now })),
});

const update = updateCall(noun, {
  operation: "updateKey",
  summary: "Change an API key",
  description:
    "What is left out stays; `flags`, `addresses` and `ends_at` sent empty are none. It counts at the next call.",
  form: managementForm(keyFields, [], { addresses: "192.0.2.0/24" }),
  refusals,
  run: updateKey,
});

const rotate = managed({
  method: "POST",
  path: `${PREFIX}/rotate/:id`,
  takesKey: false,
  operation: "rotateKey",
  operationId: "rotateApiKey",
  tags,
  summary: "Make a new secret",
  description:
    "The secret before stays valid for `keep_hours`, a day where it is left out, so that programs can change over. A secret that was never used is replaced at once.",
  form: managementForm(rotationFields, [], { keep_hours: 24 }),
  ids,
  success: { ...withSecret, example: { ...withSecret.example, success: "There is a new secret." } },
  refusals,
  run: ({ db, by, ids: { id }, input, now }) =>
    shown("There is a new secret.", rotateKey(db, by, { id, input }, { now })),
});

const done = doneWith(noun, "Revoked.", "The key is revoked.");
const revoke = managed({
  method: "POST",
  path: `${PREFIX}/revoke/:id`,
  operation: "revokeKey",
  operationId: "revokeApiKey",
  tags,
  summary: "Revoke an API key",
  description: "For good, from the next call on. What it did stays under its name.",
  form: noForm,
  ids,
  success: done.success,
  refusals,
  run: ({ db, by, ids: { id }, now }) => done.done(revokeKey(db, by, { id }, { now })),
});

const requests = logged({
  path: `${PREFIX}/requests/:id`,
  operation: "keyCalls",
  operationId: "listApiKeyRequests",
  tags,
  summary: "List the calls of an API key",
  description:
    "The newest first, of the last seven days, a thousand at the most; each is there some seconds after it was answered.",
  ids,
  filters: { failed: flag },
  record: keyCallSchema,
  example: exampleKeyCall,
  refusals: { 404: refusals[404] },
  page: ({ db, by, ids: { id }, values: { failed } }, paging) =>
    keyCalls(db, by, { key: id, failed }, paging).map(keyCallToJson),
});

export const apiKeyOperations = [list, get, create, update, rotate, revoke, requests];
