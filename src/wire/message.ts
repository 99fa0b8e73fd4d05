import { type Static, Type } from "@sinclair/typebox";
import { messageStates } from "../../db/schema.ts";
import { formatTimeOfDay } from "../domain/around/messages/quiet.ts";
import type { Message } from "../domain/around/messages/outbox.ts";
import { audiences, triggerKinds } from "../domain/around/messages/rule-fields.ts";
import type { Rule } from "../domain/around/messages/rules.ts";
import type { Template } from "../domain/around/messages/templates.ts";
import { formatTime, type Seconds } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const timeOf = (at: Seconds | null) => (at === null ? null : formatTime(at));
const dayTimeOf = (minutes: number | null) => (minutes === null ? null : formatTimeOfDay(minutes));
const oneOf = <const V extends string>(...values: readonly V[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));
const optionalId = nullable(Type.Integer());

export const templateSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  name: Type.String(),
  language: Type.String(),
  subject: Type.String(),
  body: Type.String(),
});
type ShownTemplate = Static<typeof templateSchema>;

export function shownTemplate({ id, ispId, name, language, subject, body }: Template): ShownTemplate {
  return { id, isp_id: ispId, name, language, subject, body };
}

export const exampleTemplate: ShownTemplate = {
  ...{ id: 5, isp_id: 1, name: "expires_soon", language: "en", subject: "Your package ends on {{date}}" },
  body: "{{isp}}: {{name}}, your package {{package}} ends on {{expiration}}.",
};

export const ruleSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  name: Type.String(),
  on: oneOf(...triggerKinds),
  event_type: text,
  offset: Type.Integer(),
  audience: oneOf(...audiences),
  flag: text,
  channel_id: Type.Integer(),
  template: Type.String(),
  quiet_from: text,
  quiet_to: text,
  late_by: Type.Integer(),
  is_enabled: Type.Integer(),
  created_at: Type.String(),
});
type ShownRule = Static<typeof ruleSchema>;

export function shownRule(rule: Rule): ShownRule {
  const { id, name, on, offset, audience, flag, template } = rule;
  return {
    ...{ id, isp_id: rule.ispId, name, on, event_type: rule.eventType, offset, audience, flag },
    ...{ channel_id: rule.channelId, template, quiet_from: dayTimeOf(rule.quietFrom) },
    ...{ quiet_to: dayTimeOf(rule.quietTo), late_by: rule.lateBy, is_enabled: rule.isEnabled },
    created_at: formatTime(rule.createdAt),
  };
}

export const exampleRule: ShownRule = {
  ...{ id: 4, isp_id: 1, name: "Ends in three days", on: "expiry", event_type: null, offset: -259_200 },
  ...{ audience: "subscriber", flag: null, channel_id: 2, template: "expires_soon", quiet_from: "21:00" },
  ...{ quiet_to: "08:00", late_by: 43_200, is_enabled: 1, created_at: "2030-01-15 12:00:00" },
};

const message = {
  id: Type.Integer(),
  message_id: Type.String(),
  isp_id: Type.Integer(),
  rule_id: optionalId,
  rule: text,
  channel_id: Type.Integer(),
  channel: Type.String(),
  user_id: optionalId,
  staff_id: optionalId,
  about_user_id: optionalId,
  name: text,
  username: text,
  state: oneOf(...messageStates),
  attempts: Type.Integer(),
  due_at: Type.String(),
  next_at: text,
  created_at: Type.String(),
  ended_at: text,
  template: Type.String(),
  to: text,
  language: text,
  subject: text,
  reason: text,
  written_by: optionalId,
  writer: text,
};
export const messageSchema = Type.Object(message);
type ShownMessage = Static<typeof messageSchema>;

export function shownMessage(row: Message): ShownMessage {
  const { id, rule, channel, name, username, state, attempts, template, language, subject, reason } = row;
  return {
    ...{ id, message_id: row.uid, isp_id: row.ispId, rule_id: row.ruleId, rule, channel_id: row.channelId },
    ...{ channel, user_id: row.subscriberId, staff_id: row.staffId, about_user_id: row.aboutId },
    ...{ name, username, state, attempts, due_at: formatTime(row.dueAt) },
    next_at: state === "waiting" ? formatTime(row.nextAt) : null,
    ...{ created_at: formatTime(row.createdAt), ended_at: timeOf(row.endedAt), template },
    ...{ to: row.address, language, subject, reason },
    ...{ written_by: row.writtenBy, writer: row.writer },
  };
}

export const exampleMessage: ShownMessage = {
  ...{ id: 9120, message_id: "msg_6f1d0c6a4be8d07d3ab2e2f3b1d0c9aa", isp_id: 1, rule_id: 4 },
  ...{ rule: "Ends in three days", channel_id: 2, channel: "SMS", user_id: 42, staff_id: null },
  ...{ about_user_id: null, name: "Ann Green", username: "ann", state: "sent", attempts: 1 },
  ...{ due_at: "2030-01-28 12:00:00", next_at: null, created_at: "2030-01-28 12:00:03" },
  ...{ ended_at: "2030-01-28 12:00:04", template: "expires_soon", to: "+44 7700 900042", language: "en" },
  ...{ subject: "Your package ends on 31 Jan 2030", reason: null },
  ...{ written_by: null, writer: null },
};

export const wholeMessageSchema = Type.Object({ ...message, body: text });

export function shownWholeMessage(row: Message, body: string | null): Static<typeof wholeMessageSchema> {
  return { ...shownMessage(row), body };
}

export const exampleWholeMessage: Static<typeof wholeMessageSchema> = {
  ...exampleMessage,
  body: "Northlink: Ann Green, your package Home 20 ends on 31 Jan 2030, 12:00.",
};
