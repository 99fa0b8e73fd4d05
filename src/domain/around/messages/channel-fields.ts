import {
  type Field,
  type Input,
  type Values,
  email,
  flag,
  oneOf,
  readFields,
  scopeId,
  text,
  wholeNumber,
} from "../../core/fields/fields.ts";
import { addFault } from "../../core/fields/fields.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import {
  type ChannelSettings,
  bodyKinds,
  findSettingsFaults,
  methods,
  tlsModes,
} from "./channel-settings.ts";

export const channelKinds = ["smtp", "http", "push"] as const;
export const addressKinds = ["email", "mobile", "none", "device"] as const;
export type AddressKind = (typeof addressKinds)[number];

const smtpFields = {
  host: text(253),
  port: wholeNumber(1, 65_535),
  tls: oneOf(...tlsModes),
  user: text(200),
  from: text(300),
  reply_to: text(300),
};
const httpFields = {
  method: oneOf(...methods),
  url: text(2000),
  headers: text(4000, { lines: true }),
  body_kind: oneOf(...bodyKinds),
  body: text(8000, { lines: true }),
  success: text(100),
  match: text(200),
};
/** Fields that belong to other kinds of channels, by kind. */
const otherKindsFields = { smtp: httpFields, http: smtpFields, push: { ...smtpFields, ...httpFields } };
const ownFields = {
  isp_id: scopeId,
  name: text(80),
  kind: oneOf(...channelKinds),
  address: oneOf(...addressKinds),
  is_sms: flag,
  per_minute: wholeNumber(1, 6000),
  passes_id: flag,
  allow_local: flag,
};

/** Fields of the other kind are refused. */
export const channelForm = { ...ownFields, ...smtpFields, ...httpFields };
type Sent = Values<typeof channelForm>;

export const testForm: { to: Field<string> } = { to: text(200) };

export const secretForm = {
  name: { ...text(31), message: phrase`must be letters, digits and _, such as password or token` },
  value: text(4000),
};

/** The channel of the input, whose missing values stay. Adds every fault. */
export function readChannel(
  input: Input,
  faults: Faults,
  before?: { readonly sent: Sent; readonly settings: ChannelSettings },
): { sent: Sent; settings: ChannelSettings | undefined } {
  const partial = before !== undefined;
  const required = ["name", "kind", "address"] as const;
  const sent = readFields(channelForm, input, faults, { required, partial });
  const kind = before?.settings.kind ?? sent.kind;
  if (before && sent.kind !== undefined && sent.kind !== before.settings.kind)
    addFault(faults, "kind", phrase`cannot be changed; make another channel`);
  const others = kind === undefined || kind === null ? {} : otherKindsFields[kind];
  for (const name of Object.keys(others))
    if (input[name] !== undefined && input[name] !== "")
      addFault(faults, name, phrase`is not of a channel of the kind ${kind}`);
  const settings = readChannelSettings(kind ?? undefined, sent, before?.settings);
  if (settings) findSettingsFaults(settings, faults);
  const address = sent.address ?? before?.sent.address;
  if (kind === "smtp" && address !== undefined && address !== "email")
    addFault(faults, "address", phrase`must be email: that is where mail goes`);
  if (address !== undefined && (kind === "push") !== (address === "device"))
    addFault(faults, "address", phrase`device goes with the kind push, and with no other`);
  if (kind === "push" && sent.allow_local === 1)
    addFault(
      faults,
      "allow_local",
      phrase`is for no channel of the kind push: push services are on the internet`,
    );
  return { sent, settings };
}

function readChannelSettings(
  kind: ChannelSettings["kind"] | undefined,
  sent: Sent,
  known: ChannelSettings | undefined,
): ChannelSettings | undefined {
  /** The value as sent, cleared, or stored. */
  const of = <T>(value: T | null | undefined, before: T | undefined, otherwise: T): T =>
    value === undefined ? (before ?? otherwise) : (value ?? otherwise);
  if (kind === "smtp") {
    const before = known?.kind === "smtp" ? known : undefined;
    const tls = of(sent.tls, before?.tls, "starttls");
    return {
      kind,
      host: of(sent.host, before?.host, ""),
      port: of(sent.port, before?.port, tls === "implicit" ? 465 : 587),
      tls,
      user: of(sent.user, before?.user, ""),
      from: of(sent.from, before?.from, ""),
      replyTo: of(sent.reply_to, before?.replyTo, ""),
    };
  }
  if (kind === undefined) return undefined;
  if (kind === "push") return { kind };
  const before = known?.kind === "http" ? known : undefined;
  return {
    kind,
    method: of(sent.method, before?.method, "POST"),
    url: of(sent.url, before?.url, ""),
    headers: of(sent.headers, before?.headers, ""),
    bodyKind: of(sent.body_kind, before?.bodyKind, "none"),
    body: of(sent.body, before?.body, ""),
    success: of(sent.success, before?.success, "2xx"),
    match: of(sent.match, before?.match, ""),
  };
}

export function isAddress(kind: AddressKind, address: string): boolean {
  if (kind === "none" || kind === "device") return true;
  if (kind === "email") return !/[\s<>,;:"\\]/.test(address) && email.read(address) !== undefined;
  return /^\+?[\d\s().-]{4,30}$/.test(address) && address.replaceAll(/\D/g, "").length >= 4;
}

/** Why somebody cannot be reached. */
export function noAddress(kind: AddressKind): Phrase {
  if (kind === "device") return phrase`no device of theirs gets notifications`;
  return kind === "email"
    ? phrase`there is no e-mail address to send it to`
    : phrase`there is no mobile number to send it to`;
}
