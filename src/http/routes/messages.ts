import { Type } from "@sinclair/typebox";
import { messageStates } from "../../../db/schema.ts";
import { id, oneOf, only } from "../../domain/core/fields/fields.ts";
import {
  cancelMany,
  countMany,
  type Many,
  manyForm,
  MOST_AT_ONCE,
  sendManyAgain,
} from "../../domain/around/messages/outbox-many.ts";
import { cancelMessage, listMessages, messageById, sendAgain } from "../../domain/around/messages/outbox.ts";
import { ruleForm } from "../../domain/around/messages/rule-fields.ts";
import {
  createRule,
  deleteRule,
  listRules,
  ruleById,
  updateRule,
} from "../../domain/around/messages/rules.ts";
import {
  exampleMessage,
  exampleRule,
  exampleWholeMessage,
  messageSchema,
  ruleSchema,
  messageToJson,
  ruleToJson,
  wholeMessageToJson,
  wholeMessageSchema,
} from "../../wire/message.ts";
import { managementForm, noForm } from "../form.ts";
import { logged } from "../list.ts";
import { managed } from "../operation.ts";
import { createCall, declareNoun, deleteCall, getCall, listCall, updateCall } from "../plain.ts";

const RULE = "/api/v1/message_rule";
const MESSAGE = "/api/v1/message";
const tags: [string] = ["Messages"];
const ofMessage = { id: "message" };
const noMessage = { 404: "There is no such message." };

const rule = declareNoun({
  prefix: RULE,
  tags,
  name: "MessageRule",
  one: "rule",
  key: "rule",
  record: ruleSchema,
  example: exampleRule,
  toJson: ruleToJson,
});
const doneMessage = (description: string, success: string) => ({
  description,
  schema: Type.Object({ success: Type.String(), message: messageSchema }),
  example: { success, message: exampleMessage },
});

const list = listCall(rule, {
  operation: "listRules",
  answer: "Who is told what, when and how.",
  run: listRules,
});

const get = getCall(rule, { operation: "ruleById", run: ruleById });

const create = createCall(rule, {
  operation: "createRule",
  description:
    "It speaks of what happens or comes due from now on, and tells nobody twice of the same event, end of a service or invoice.",
  form: managementForm(ruleForm, ["name", "on", "audience", "channel_id", "template"], {
    isp_id: 1,
    name: "Ends in three days",
    on: "expiry",
    offset: -259_200,
    audience: "subscriber",
    channel_id: 2,
    template: "expires_soon",
    quiet_from: "21:00",
    quiet_to: "08:00",
  }),
  run: createRule,
});

const update = updateCall(rule, {
  operation: "updateRule",
  description:
    "What is left out stays. One that is switched on again, or speaks of something else then, begins with what comes from now on; while it is off, what it planned is skipped.",
  form: managementForm(ruleForm, [], { is_enabled: 0 }),
  run: updateRule,
});

const remove = deleteCall(rule, {
  operation: "deleteRule",
  description: "What it planned and was not sent is cancelled; what was sent stays in the outbox.",
  run: deleteRule,
});

const outbox = logged({
  path: `${MESSAGE}/list`,
  operation: "listMessages",
  operationId: "listMessages",
  tags,
  summary: "List the outbox",
  description: "What waits, and what was sent, failed or was skipped in the last 180 days.",
  filters: { state: oneOf(...messageStates), channel_id: id, rule_id: id, user_id: id },
  record: messageSchema,
  example: exampleMessage,
  page: ({ db, by, values: value }, paging) =>
    listMessages(
      db,
      by,
      {
        state: value.state,
        channelId: value.channel_id,
        ruleId: value.rule_id,
        subscriberId: value.user_id,
      },
      paging,
    ).map(messageToJson),
});

const one = managed({
  method: "GET",
  path: `${MESSAGE}/get/:id`,
  operation: "messageById",
  operationId: "getMessage",
  tags,
  summary: "Get a message with what it said",
  form: noForm,
  ids: ofMessage,
  success: { description: "The message.", schema: wholeMessageSchema, example: exampleWholeMessage },
  refusals: noMessage,
  run: ({ db, by, ids: { id: messageId } }) => {
    const { message, body } = messageById(db, by, { id: messageId });
    return wholeMessageToJson(message, body);
  },
});

const again = managed({
  method: "POST",
  path: `${MESSAGE}/again/:id`,
  operation: "sendAgain",
  operationId: "sendMessageAgain",
  tags,
  summary: "Send a message again",
  description:
    "One that failed, was skipped or cancelled, or perhaps arrived, in the words that it had. What a renewal or a payment overtook is skipped again.",
  form: noForm,
  ids: ofMessage,
  success: doneMessage("It waits to be sent.", "It is sent again."),
  refusals: { ...noMessage, 422: "It was sent, or is leaving, or its channel is off." },
  run: ({ db, by, ids: { id: messageId }, now }) => ({
    success: "It is sent again.",
    message: messageToJson(sendAgain(db, by, { id: messageId }, { now })),
  }),
});

const cancel = managed({
  method: "POST",
  path: `${MESSAGE}/cancel/:id`,
  operation: "cancelMessage",
  operationId: "cancelMessage",
  tags,
  summary: "Cancel a message that waits",
  form: noForm,
  ids: ofMessage,
  success: doneMessage("Cancelled.", "It is not sent."),
  refusals: { ...noMessage, 422: "It does not wait any more." },
  run: ({ db, by, ids: { id: messageId }, now }) => ({
    success: "It is not sent.",
    message: messageToJson(cancelMessage(db, by, { id: messageId }, { now })),
  }),
});

const many = { count: Type.Integer(), more: Type.Integer({ minimum: 0, maximum: 1 }) };
const manyToJson = ({ count, isMore }: Many) => ({ count, more: isMore ? 1 : 0 });
const noChoice = { 400: "It names neither a channel nor a rule.", 404: "There is no such channel or rule." };
const upTo = `${MOST_AT_ONCE.toLocaleString("en")} at once; \`more\` says that there are more, for another call.`;

const count = managed({
  method: "GET",
  path: `${MESSAGE}/count`,
  operation: "countMany",
  operationId: "countMessages",
  tags,
  summary: "Count what would be sent again or cancelled",
  description:
    "Messages of a channel, a rule or both: what failed since a time, a day ago where it is left out, by channels that are on; or what waits.",
  form: managementForm({ ...manyForm, state: oneOf("failed", "waiting") }, ["state"], {
    state: "failed",
    channel_id: 2,
  }),
  success: {
    description: "How many.",
    schema: Type.Object(many),
    example: { count: 12, more: 0 },
  },
  refusals: noChoice,
  run: ({ db, by, values: value, now }) =>
    manyToJson(
      countMany(
        db,
        by,
        {
          state: value.state,
          channelId: value.channel_id,
          ruleId: value.rule_id,
          endedAfter: value.ended_after,
        },
        { now },
      ),
    ),
});

const againMany = managed({
  method: "POST",
  path: `${MESSAGE}/again_many`,
  awaits: true,
  operation: "sendManyAgain",
  operationId: "sendMessagesAgain",
  tags,
  summary: "Send again what failed",
  description: `All of a channel, a rule or both that failed since a time, a day ago where it is left out, in the words that they had. What a renewal or a payment overtook is skipped as it leaves. ${upTo}`,
  form: managementForm(manyForm, [], { channel_id: 2 }),
  success: {
    description: "They wait to be sent.",
    schema: Type.Object({ success: Type.String(), ...many }),
    example: { success: "They are sent again.", count: 12, more: 0 },
  },
  refusals: { ...noChoice, 422: "The channel is off." },
  run: async ({ db, by, values: value, now }) => ({
    success: "They are sent again.",
    ...manyToJson(
      await sendManyAgain(
        db,
        by,
        { channelId: value.channel_id, ruleId: value.rule_id, endedAfter: value.ended_after },
        { now },
      ),
    ),
  }),
});

const cancelAll = managed({
  method: "POST",
  path: `${MESSAGE}/cancel_many`,
  awaits: true,
  operation: "cancelMany",
  operationId: "cancelMessages",
  tags,
  summary: "Cancel what waits",
  description: `All that wait of a channel, a rule or both. ${upTo}`,
  form: managementForm(only(manyForm, ["channel_id", "rule_id"]), [], { rule_id: 4 }),
  success: {
    description: "Cancelled.",
    schema: Type.Object({ success: Type.String(), ...many }),
    example: { success: "They are not sent.", count: 12, more: 0 },
  },
  refusals: noChoice,
  run: async ({ db, by, values: value, now }) => ({
    success: "They are not sent.",
    ...manyToJson(await cancelMany(db, by, { channelId: value.channel_id, ruleId: value.rule_id }, { now })),
  }),
});

export const messageOperations = [
  ...[list, get, create, update, remove, outbox, one, again, cancel],
  ...[count, againMany, cancelAll],
];
