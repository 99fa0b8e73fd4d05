import { type Static, Type } from "@sinclair/typebox";
import { messageStates } from "../../db/schema.ts";
import { formatTimeOfDay } from "../domain/around/messages/quiet.ts";
import type { Message } from "../domain/around/messages/outbox.ts";
import { audiences, triggerKinds } from "../domain/around/messages/rule-fields.ts";
import type { Rule } from "../domain/around/messages/rules.ts";
import type { Template } from "../domain/around/messages/templates.ts";
import { oneOf, text } from "./kinds.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: templateSchema,
  example: exampleTemplate,
  toJson: templateToJson,
} = declareRecord<Template>()({
  id: { kind: "whole", example: 5 },
  isp_id: { kind: "whole", example: 1 },
  name: { kind: "words", example: "expires_soon" },
  language: { kind: "words", example: "en" },
  subject: { kind: "words", example: "Your package ends on {{date}}" },
  body: { kind: "words", example: "{{isp}}: {{name}}, your package {{package}} ends on {{expiration}}." },
});

const formatMinutes = (minutes: number | null) => (minutes === null ? null : formatTimeOfDay(minutes));

export const {
  schema: ruleSchema,
  example: exampleRule,
  toJson: ruleToJson,
} = declareRecord<Rule>()({
  id: { kind: "whole", example: 4 },
  isp_id: { kind: "whole", example: 1 },
  name: { kind: "words", example: "Ends in three days" },
  on: { shape: oneOf(...triggerKinds), example: "expiry" },
  event_type: { kind: "words", isNullable: true, example: null },
  offset: { kind: "whole", example: -259_200 },
  audience: { shape: oneOf(...audiences), example: "subscriber" },
  flag: { kind: "words", isNullable: true, example: null },
  channel_id: { kind: "whole", example: 2 },
  template: { kind: "words", example: "expires_soon" },
  quiet_from: {
    kind: "words",
    isNullable: true,
    of: ({ quietFrom }) => formatMinutes(quietFrom),
    example: "21:00",
  },
  quiet_to: {
    kind: "words",
    isNullable: true,
    of: ({ quietTo }) => formatMinutes(quietTo),
    example: "08:00",
  },
  late_by: { kind: "whole", example: 43_200 },
  is_enabled: { kind: "flag", example: 1 },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
});

export const {
  schema: messageSchema,
  example: exampleMessage,
  toJson: messageToJson,
} = declareRecord<Message>()({
  id: { kind: "whole", example: 9120 },
  message_id: { kind: "words", of: "uid", example: "msg_6f1d0c6a4be8d07d3ab2e2f3b1d0c9aa" },
  isp_id: { kind: "whole", example: 1 },
  rule_id: { kind: "whole", isNullable: true, example: 4 },
  rule: { kind: "words", isNullable: true, example: "Ends in three days" },
  channel_id: { kind: "whole", example: 2 },
  channel: { kind: "words", example: "SMS" },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: 42 },
  staff_id: { kind: "whole", isNullable: true, example: null },
  about_user_id: { kind: "whole", isNullable: true, of: "aboutId", example: null },
  name: { kind: "words", isNullable: true, example: "Ann Green" },
  username: { kind: "words", isNullable: true, example: "ann" },
  state: { shape: oneOf(...messageStates), example: "sent" },
  attempts: { kind: "whole", example: 1 },
  due_at: { kind: "moment", example: "2030-01-28 12:00:00" },
  next_at: {
    kind: "moment",
    isNullable: true,
    of: ({ state, nextAt }) => (state === "waiting" ? nextAt : null),
    example: null,
  },
  created_at: { kind: "moment", example: "2030-01-28 12:00:03" },
  ended_at: { kind: "moment", isNullable: true, example: "2030-01-28 12:00:04" },
  template: { kind: "words", example: "expires_soon" },
  to: { kind: "words", isNullable: true, of: "address", example: "+44 7700 900042" },
  language: { kind: "words", isNullable: true, example: "en" },
  subject: { kind: "words", isNullable: true, example: "Your package ends on 31 Jan 2030" },
  reason: { kind: "words", isNullable: true, example: null },
  written_by: { kind: "whole", isNullable: true, example: null },
  writer: { kind: "words", isNullable: true, example: null },
});

export const wholeMessageSchema = Type.Object({ ...messageSchema.properties, body: text });

export function wholeMessageToJson(row: Message, body: string | null): Static<typeof wholeMessageSchema> {
  return { ...messageToJson(row), body };
}

export const exampleWholeMessage: Static<typeof wholeMessageSchema> = {
  ...exampleMessage,
  body: "Northlink: Ann Green, your package Home 20 ends on 31 Jan 2030, 12:00.",
};
