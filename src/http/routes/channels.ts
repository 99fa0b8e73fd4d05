import { Type } from "@sinclair/typebox";
import { channelForm, secretForm, testForm } from "../../domain/around/messages/channel-fields.ts";
import {
  channelById,
  createChannel,
  deleteChannel,
  listChannels,
  setChannelEnabled,
  setChannelSecret,
  updateChannel,
} from "../../domain/around/messages/channels.ts";
import { presets } from "../../domain/around/messages/presets.ts";
import { testChannel } from "../../domain/around/messages/trial.ts";
import { sendMessage } from "../../outgoing/send-message.ts";
import {
  channelSchema,
  exampleChannel,
  presetSchema,
  channelToJson,
  presetToJson,
} from "../../wire/channel.ts";
import { managementForm, noForm } from "../form.ts";
import { managed } from "../operation.ts";
import {
  createCall,
  declareNoun,
  deleteCall,
  doneWith,
  enableCall,
  getCall,
  listCall,
  updateCall,
} from "../plain.ts";

const PREFIX = "/api/v1/channel";
const tags: [string] = ["Messages"];
const ids = { id: "channel" };
const unknown = { 404: "There is no such channel." };

const channel = declareNoun({
  prefix: PREFIX,
  tags,
  name: "Channel",
  one: "channel",
  key: "channel",
  record: channelSchema,
  example: exampleChannel,
  toJson: channelToJson,
});

const list = listCall(channel, {
  operation: "listChannels",
  answer: "The ways to reach people: the ISP's, and those of the whole box.",
  run: listChannels,
});

const get = getCall(channel, { operation: "channelById", run: channelById });

const begin = managed({
  method: "GET",
  path: `${PREFIX}/presets`,
  operation: "listChannels",
  operationId: "listChannelPresets",
  tags,
  summary: "List what channels may begin with",
  form: noForm,
  success: {
    description: "Services that are known. What stands in capitals is to be filled in.",
    schema: Type.Array(presetSchema),
    example: presets.slice(0, 1).map(presetToJson),
  },
  run: () => presets.map(presetToJson),
});

const how =
  "Of `smtp`: `host`, `port`, `tls`, `user`, `from`, `reply_to`, and the secret `password`. Of `http`: `method`, `url`, `headers`, `body_kind`, `body`, `success`, `match`; in them `{{to}}`, `{{digits}}`, `{{subject}}`, `{{body}}`, `{{line}}`, `{{id}}`, `{{language}}`, `{{username}}` and `{{secret.NAME}}` are filled in, escaped for where they stand. One of `push` (`address` `device`) has none of these: it shows notifications in the browsers of who asked for them.";

const create = createCall(channel, {
  operation: "createChannel",
  description: `${how} Secrets are set by \`secret\`. An address within your own network needs \`allow_local\`, which an Admin sets.`,
  form: managementForm(channelForm, ["name", "kind", "address"], {
    isp_id: 1,
    name: "SMS",
    kind: "http",
    address: "mobile",
    is_sms: 1,
    method: "POST",
    url: "https://gateway.example/send",
    headers: "Authorization: Bearer {{secret.key}}",
    body_kind: "form",
    body: "from=Northlink\nto={{digits}}\ntext={{body}}",
  }),
  run: createChannel,
});

const update = updateCall(channel, {
  operation: "updateChannel",
  description: `What is left out stays. ${how} One that is moved to another address forgets its secrets.`,
  form: managementForm(channelForm, [], { per_minute: 30 }),
  run: updateChannel,
});

const set = doneWith(channel, "Set.", "The secret is set.");
const secret = managed({
  method: "POST",
  path: `${PREFIX}/secret/:id`,
  operation: "setChannelSecret",
  operationId: "setChannelSecret",
  tags,
  summary: "Set a secret of a channel",
  description: "It is sealed and shown to nobody again. An empty value forgets it.",
  form: {
    ...managementForm(secretForm, ["name"], { name: "key", value: "k-3921" }),
    meanings: { name: "What it is called, `key` for `{{secret.key}}`; of mail `password`." },
  },
  ids,
  success: set.success,
  refusals: unknown,
  run: ({ db, by, ids: { id }, input, now }) => set.done(setChannelSecret(db, by, { id, input }, { now })),
});

const enable = enableCall(channel, {
  operation: "setChannelEnabled",
  description: "While it is off messages wait, and are skipped when they are too late.",
  run: setChannelEnabled,
});

const remove = deleteCall(channel, {
  operation: "deleteChannel",
  refusals: { 409: "A rule has it, or messages were sent by it; switch it off instead." },
  run: deleteChannel,
});

const trial = managed({
  method: "POST",
  path: `${PREFIX}/test/:id`,
  awaits: true,
  operation: "testChannel",
  operationId: "testChannel",
  tags,
  summary: "Try a channel",
  description: "Sends one message at once, beside the outbox, and says what came of it.",
  form: {
    ...managementForm(testForm, [], { to: "+44 7700 900042" }),
    meanings: { to: "Where it goes: an address or a number; left out for a channel that needs none." },
  },
  ids,
  success: {
    description: "What came of it.",
    schema: Type.Object({
      came: Type.Union(
        (["sent", "refused", "failed", "unknown", "down"] as const).map((kind) => Type.Literal(kind)),
      ),
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
    example: { came: "down" as const, reason: "gateway.example: nothing listens there" },
  },
  refusals: unknown,
  run: async ({ db, by, ids: { id }, input, now }) => {
    const came = await testChannel(db, by, { id, input }, { now, send: sendMessage });
    return { came: came.kind, reason: came.kind === "sent" ? null : came.reason };
  },
});

export const channelOperations = [list, get, begin, create, update, secret, enable, remove, trial];
