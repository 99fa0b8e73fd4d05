import { type Static, Type } from "@sinclair/typebox";
import { addressKinds, channelKinds } from "../domain/around/messages/channel-fields.ts";
import type { Channel } from "../domain/around/messages/channels.ts";
import type { Preset } from "../domain/around/messages/presets.ts";
import { formatTime, type Seconds } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const timeOf = (at: Seconds | null) => (at === null ? null : formatTime(at));
const oneOf = <const V extends string>(...values: readonly V[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));

export const channelSchema = Type.Object({
  id: Type.Integer(),
  isp_id: nullable(Type.Integer()),
  name: Type.String(),
  kind: oneOf(...channelKinds),
  address: oneOf(...addressKinds),
  is_sms: Type.Integer(),
  per_minute: Type.Integer(),
  passes_id: Type.Integer(),
  allow_local: Type.Integer(),
  host: text,
  port: nullable(Type.Integer()),
  tls: text,
  user: text,
  from: text,
  reply_to: text,
  method: text,
  url: text,
  headers: text,
  body_kind: text,
  body: text,
  success: text,
  match: text,
  secrets: Type.Array(Type.String()),
  missing_secrets: Type.Array(Type.String()),
  disabled_at: text,
  down_since: text,
  down_reason: text,
  try_at: text,
  created_at: Type.String(),
});
type ShownChannel = Static<typeof channelSchema>;

const nothing = {
  ...{ host: null, port: null, tls: null, user: null, from: null, reply_to: null },
  ...{ method: null, url: null, headers: null, body_kind: null, body: null, success: null, match: null },
};

export function shownChannel(channel: Channel): ShownChannel {
  const { settings } = channel;
  return {
    ...{ id: channel.id, isp_id: channel.ispId, name: channel.name, kind: channel.kind },
    ...{ address: channel.address, is_sms: channel.isSms, per_minute: channel.perMinute },
    ...{ passes_id: channel.passesId, allow_local: channel.allowLocal },
    ...nothing,
    ...shownSettings(settings),
    ...{ secrets: [...channel.secrets], missing_secrets: [...channel.missing] },
    ...{ disabled_at: timeOf(channel.disabledAt), down_since: timeOf(channel.downSince) },
    ...{ down_reason: channel.downReason, try_at: timeOf(channel.tryAt) },
    created_at: formatTime(channel.createdAt),
  };
}

function shownSettings(settings: Channel["settings"]): Partial<ShownChannel> {
  if (settings.kind === "smtp") {
    const { host, port, tls, user, from, replyTo } = settings;
    return { host, port, tls, user, from, reply_to: replyTo };
  }
  const { method, url, headers, bodyKind, body, success, match } = settings;
  return { method, url, headers, body_kind: bodyKind, body, success, match };
}

export const exampleChannel: ShownChannel = {
  ...{ id: 2, isp_id: 1, name: "SMS", kind: "http", address: "mobile", is_sms: 1, per_minute: 60 },
  ...{ passes_id: 0, allow_local: 0, ...nothing, method: "POST", url: "https://gateway.example/send" },
  ...{ headers: "Authorization: Bearer {{secret.key}}", body_kind: "form" },
  ...{ body: "from=Northlink\nto={{digits}}\ntext={{body}}", success: "2xx", match: "" },
  ...{ secrets: ["key"], missing_secrets: [], disabled_at: null, down_since: null, down_reason: null },
  ...{ try_at: null, created_at: "2030-01-15 12:00:00" },
};

export const presetSchema = Type.Object({
  key: Type.String(),
  name: Type.String(),
  says: Type.String(),
  needs: Type.Array(Type.Object({ name: Type.String(), says: Type.String() })),
  channel: Type.Unknown(),
});

export function shownPreset({ key, name, says, secrets, channel }: Preset): Static<typeof presetSchema> {
  const needs = Object.entries(secrets).map(([secret, where]) => ({ name: secret, says: where }));
  return { key, name, says, needs, channel };
}
