import { type Static, Type } from "@sinclair/typebox";
import type { ChannelChoice } from "../domain/around/messages/by-which.ts";
import { addressKinds } from "../domain/around/messages/channel-fields.ts";
import type { Preview, Written } from "../domain/around/messages/write.ts";
import { oneOf } from "./kinds.ts";
import { declareRecord, constant } from "./record.ts";

export const choicesSchema = Type.Object({
  channels: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      address: oneOf(...addressKinds),
      is_sms: Type.Integer(),
      per_minute: Type.Integer(),
      is_down: Type.Integer(),
    }),
  ),
  templates: Type.Array(Type.String()),
});

/** Channels and templates available for a message. */
export function choicesToJson({
  channels,
  templates,
}: {
  channels: readonly ChannelChoice[];
  templates: readonly string[];
}): Static<typeof choicesSchema> {
  return {
    channels: channels.map(({ id, name, address, isSms, perMinute, isDown }) => ({
      id,
      name,
      address,
      is_sms: isSms ? 1 : 0,
      per_minute: perMinute,
      is_down: isDown ? 1 : 0,
    })),
    templates: [...templates],
  };
}

export const exampleChoices: Static<typeof choicesSchema> = {
  channels: [{ id: 2, name: "SMS", address: "mobile", is_sms: 1, per_minute: 60, is_down: 0 }],
  templates: ["expires_soon", "welcome"],
};

export const {
  schema: previewSchema,
  example: examplePreview,
  toJson: previewToJson,
} = declareRecord<Preview>()({
  to: { kind: "words", example: "+44 7700 900042" },
  language: { kind: "words", example: "en" },
  subject: { kind: "words", example: "Our visit" },
  body: { kind: "words", example: "Ann Green, we come on Tuesday at three. Northlink" },
  characters: { kind: "whole", example: 49 },
  sms_parts: { kind: "whole", of: "parts", example: 1 },
  unwanted: { kind: "words", isNullable: true, example: null },
});

export const {
  schema: writtenSchema,
  example: exampleWritten,
  toJson: writtenToJson,
} = declareRecord<Written>()({
  success: constant("It is in the outbox."),
  id: { kind: "whole", of: "messageId", example: 9121 },
  channel: { kind: "words", example: "SMS" },
  per_minute: { kind: "whole", example: 60 },
  ahead: { kind: "whole", example: 3 },
  due_at: { kind: "moment", example: "2030-01-28 12:00:03" },
  is_down: { kind: "flag", of: ({ isDown }) => (isDown ? 1 : 0), example: 0 },
});
