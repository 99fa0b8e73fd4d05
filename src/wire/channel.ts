import { type Static, Type } from "@sinclair/typebox";
import { addressKinds, channelKinds } from "../domain/around/messages/channel-fields.ts";
import type { Channel } from "../domain/around/messages/channels.ts";
import type { Preset } from "../domain/around/messages/presets.ts";
import { oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

const smtp = ({ settings }: Channel) => (settings.kind === "smtp" ? settings : undefined);
const http = ({ settings }: Channel) => (settings.kind === "http" ? settings : undefined);

const body = "from=Northlink\nto={{digits}}\ntext={{body}}";

export const {
  schema: channelSchema,
  example: exampleChannel,
  toJson: channelToJson,
} = declareRecord<Channel>()({
  id: { kind: "whole", example: 2 },
  isp_id: { kind: "whole", isNullable: true, example: 1 },
  name: { kind: "words", example: "SMS" },
  kind: { shape: oneOf(...channelKinds), example: "http" },
  address: { shape: oneOf(...addressKinds), example: "mobile" },
  is_sms: { kind: "flag", example: 1 },
  per_minute: { kind: "whole", example: 60 },
  passes_id: { kind: "flag", example: 0 },
  allow_local: { kind: "flag", example: 0 },
  host: { kind: "words", isNullable: true, of: (row) => smtp(row)?.host ?? null, example: null },
  port: { kind: "whole", isNullable: true, of: (row) => smtp(row)?.port ?? null, example: null },
  tls: { kind: "words", isNullable: true, of: (row) => smtp(row)?.tls ?? null, example: null },
  user: { kind: "words", isNullable: true, of: (row) => smtp(row)?.user ?? null, example: null },
  from: { kind: "words", isNullable: true, of: (row) => smtp(row)?.from ?? null, example: null },
  reply_to: { kind: "words", isNullable: true, of: (row) => smtp(row)?.replyTo ?? null, example: null },
  method: { kind: "words", isNullable: true, of: (row) => http(row)?.method ?? null, example: "POST" },
  url: {
    kind: "words",
    isNullable: true,
    of: (row) => http(row)?.url ?? null,
    example: "https://gateway.example/send",
  },
  headers: {
    kind: "words",
    isNullable: true,
    of: (row) => http(row)?.headers ?? null,
    example: "Authorization: Bearer {{secret.key}}",
  },
  body_kind: { kind: "words", isNullable: true, of: (row) => http(row)?.bodyKind ?? null, example: "form" },
  body: { kind: "words", isNullable: true, of: (row) => http(row)?.body ?? null, example: body },
  success: { kind: "words", isNullable: true, of: (row) => http(row)?.success ?? null, example: "2xx" },
  match: { kind: "words", isNullable: true, of: (row) => http(row)?.match ?? null, example: "" },
  secrets: { shape: Type.Array(Type.String()), of: ({ secrets }) => [...secrets], example: ["key"] },
  missing_secrets: { shape: Type.Array(Type.String()), of: ({ missing }) => [...missing], example: [] },
  disabled_at: { kind: "moment", isNullable: true, example: null },
  down_since: { kind: "moment", isNullable: true, example: null },
  down_reason: { kind: "words", isNullable: true, example: null },
  try_at: { kind: "moment", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
});

export const presetSchema = Type.Object({
  key: Type.String(),
  name: Type.String(),
  says: Type.String(),
  needs: Type.Array(Type.Object({ name: Type.String(), says: Type.String() })),
  channel: Type.Unknown(),
});

export function presetToJson({
  key,
  name,
  says: text,
  secrets,
  channel,
}: Preset): Static<typeof presetSchema> {
  const needs = Object.entries(secrets).map(([secret, where]) => ({ name: secret, says: where }));
  return { key, name, says: text, needs, channel };
}
