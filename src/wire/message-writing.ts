import { type Static, Type } from "@sinclair/typebox";
import type { ChannelChoice } from "../domain/around/messages/by-which.ts";
import { addressKinds } from "../domain/around/messages/channel-fields.ts";
import type { Preview, Written } from "../domain/around/messages/write.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { text } from "./kinds.ts";

export const choicesSchema = Type.Object({
  channels: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      address: Type.Union(addressKinds.map((kind) => Type.Literal(kind))),
      is_sms: Type.Integer(),
      per_minute: Type.Integer(),
      is_down: Type.Integer(),
    }),
  ),
  templates: Type.Array(Type.String()),
});

/** By what and in which texts somebody may write. */
export function shownChoices({
  channels,
  templates,
}: {
  channels: readonly ChannelChoice[];
  templates: readonly string[];
}): Static<typeof choicesSchema> {
  return {
    channels: channels.map(({ id, name, address, isSms, perMinute, isDown }) => ({
      ...{ id, name, address, is_sms: isSms ? 1 : 0, per_minute: perMinute, is_down: isDown ? 1 : 0 },
    })),
    templates: [...templates],
  };
}

export const exampleChoices: Static<typeof choicesSchema> = {
  channels: [{ id: 2, name: "SMS", address: "mobile", is_sms: 1, per_minute: 60, is_down: 0 }],
  templates: ["expires_soon", "welcome"],
};

export const previewSchema = Type.Object({
  to: Type.String(),
  language: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  characters: Type.Integer(),
  sms_parts: Type.Integer(),
  unwanted: text,
});

/** A message as it would be. */
export function shownPreview(preview: Preview): Static<typeof previewSchema> {
  const { to, language, subject, body, characters, parts, unwanted } = preview;
  return { to, language, subject, body, characters, sms_parts: parts, unwanted };
}

export const examplePreview: Static<typeof previewSchema> = {
  ...{ to: "+44 7700 900042", language: "en", subject: "Our visit" },
  ...{ body: "Ann Green, we come on Tuesday at three. Northlink", characters: 49, sms_parts: 1 },
  unwanted: null,
};

export const writtenSchema = Type.Object({
  success: Type.String(),
  id: Type.Integer(),
  channel: Type.String(),
  per_minute: Type.Integer(),
  ahead: Type.Integer(),
  due_at: Type.String(),
  is_down: Type.Integer(),
});

/** A message that was put into the outbox. */
export function shownWritten(written: Written): Static<typeof writtenSchema> {
  const { messageId, channel, perMinute, ahead, dueAt, isDown } = written;
  return {
    ...{ success: "It is in the outbox.", id: messageId, channel, per_minute: perMinute, ahead },
    ...{ due_at: formatTime(dueAt), is_down: isDown ? 1 : 0 },
  };
}

export const exampleWritten: Static<typeof writtenSchema> = {
  ...{ success: "It is in the outbox.", id: 9121, channel: "SMS", per_minute: 60, ahead: 3 },
  ...{ due_at: "2030-01-28 12:00:03", is_down: 0 },
};
