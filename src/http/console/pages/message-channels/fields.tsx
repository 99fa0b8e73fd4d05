import { addressKinds } from "../../../../domain/around/messages/channel-fields.ts";
import { bodyKinds, methods, tlsModes } from "../../../../domain/around/messages/channel-settings.ts";
import type { Channel } from "../../../../domain/around/messages/channels.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { StaffVisit } from "../../guard.ts";
import type { FormField } from "../../parts/field.tsx";

export type Kind = Channel["settings"]["kind"];
/** A channel's fields, stored or proposed. */
export type Stored = Input;

export function toStored(channel: Channel): Stored {
  const { settings, name, address, perMinute, isSms, passesId, allowLocal } = channel;
  return {
    ...settings,
    name,
    address,
    per_minute: perMinute,
    is_sms: isSms,
    passes_id: passesId,
    allow_local: allowLocal,
    ...(settings.kind === "smtp" && { reply_to: settings.replyTo }),
    ...(settings.kind === "http" && { body_kind: settings.bodyKind }),
  };
}

interface FieldWords {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
}

const textIn = (stored: Stored, name: string) => String(stored[name] ?? "");

const line = (stored: Stored, field: FieldWords): FormField => ({
  ...field,
  value: textIn(stored, field.name),
  attributes: { spellcheck: "false" },
});

function lines(stored: Stored, field: FieldWords): FormField {
  const value = textIn(stored, field.name);
  const rows = Math.min(14, Math.max(3, value.split("\n").length + 1));
  return { ...field, value, rows, as: "lines", max: 8000, kind: "wide code-field" };
}

function choice(stored: Stored, field: FieldWords, options: Readonly<Record<string, string>>): FormField {
  const choices = Object.entries(options).map(([value, label]) => ({ value, label }));
  return { ...field, value: textIn(stored, field.name), options: choices };
}

const tick = (stored: Stored, field: FieldWords): FormField => ({
  ...field,
  as: "tick",
  value: textIn(stored, field.name),
  kind: "wide",
});

export function settingFields({ view }: StaffVisit, kind: Kind, stored: Stored): FormField[] {
  const words = view.words.messageChannels;
  if (kind === "push") return [];
  if (kind === "smtp")
    return [
      line(stored, { name: "host", label: words.host, help: words.hostHelp }),
      line(stored, { name: "port", label: words.port, help: words.portHelp }),
      choice(stored, { name: "tls", label: words.tls }, pick(tlsModes, words.tlsModes)),
      line(stored, { name: "user", label: words.user, help: words.userHelp }),
      line(stored, { name: "from", label: words.from, help: words.fromHelp }),
      line(stored, { name: "reply_to", label: words.replyTo, help: words.replyToHelp }),
    ];
  return [
    choice(stored, { name: "method", label: words.method }, pick(methods)),
    choice(stored, { name: "body_kind", label: words.bodyKind }, pick(bodyKinds, words.bodyKinds)),
    { ...line(stored, { name: "url", label: words.url, help: words.urlHelp }), kind: "wide" },
    lines(stored, { name: "headers", label: words.headers, help: words.headersHelp }),
    lines(stored, { name: "body", label: words.body, help: words.bodyHelp }),
    line(stored, { name: "success", label: words.success, help: words.successHelp }),
    line(stored, { name: "match", label: words.match, help: words.matchHelp }),
  ];
}

const pick = <Name extends string>(
  names: readonly Name[],
  words?: Readonly<Record<Name, string>>,
): Record<string, string> => Object.fromEntries(names.map((name) => [name, words?.[name] ?? name]));

const ofHttpKinds = addressKinds.filter((kind) => kind !== "device");

/** Fields of every channel; the last for Admins. */
export function commonFields({ by, view }: StaffVisit, kind: Kind, stored: Stored): FormField[] {
  const words = view.words.messageChannels;
  const ofHttp = [
    choice(stored, { name: "address", label: words.address }, pick(ofHttpKinds, words.addresses)),
    tick(stored, { name: "is_sms", label: words.isSms }),
    tick(stored, { name: "passes_id", label: words.passesId }),
  ];
  return [
    line(stored, { name: "name", label: words.name }),
    line(stored, { name: "per_minute", label: words.pace, help: words.paceHelp }),
    ...(kind === "http" ? ofHttp : []),
    ...(by.admin && kind !== "push"
      ? [tick(stored, { name: "allow_local", label: words.local, help: words.localHelp })]
      : []),
  ];
}

/** Fields of a kind that are fixed. */
export const fixedFields = (kind: Kind): Input =>
  ({
    smtp: { address: "email", is_sms: 0, passes_id: 0 },
    http: {},
    push: { address: "device", is_sms: 0, passes_id: 0 },
  })[kind];
