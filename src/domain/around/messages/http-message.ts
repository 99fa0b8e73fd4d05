import type { PushTarget } from "../../people/push/devices.ts";
import type { VapidKeys } from "../../people/push/vapid.ts";
import { type ChannelField, type HttpSettings, parseForm, parseHeaders } from "./channel-settings.ts";
import { fillMarks } from "./marks.ts";

export interface Outbound {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly language: string;
  readonly username: string;
  /** Of a channel of notifications. */
  readonly push?: PushPart;
}

export interface PushPart {
  readonly targets: readonly PushTarget[];
  readonly keys: VapidKeys;
  /** Where a press on it leads. */
  readonly opens: string;
}

export interface HttpMessage {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const types = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
};

/** Escapes each field for its context, so that none can end a string, add a parameter or header, or change the address. */
export function httpMessage(
  settings: HttpSettings,
  secrets: Readonly<Record<string, string>>,
  message: Outbound,
): HttpMessage {
  const values = placeholderValues(message);
  const value = (name: string) =>
    name.startsWith("secret.") ? (secrets[name.slice(7)] ?? "") : (Reflect.get(values, name) as string);
  const filled = (text: string, escape: (plain: string) => string) =>
    fillMarks(text, (name) => escape(value(name)));
  const { bodyKind } = settings;
  const headers: Record<string, string> = { "User-Agent": "Gatehouse" };
  if (bodyKind !== "none") headers["Content-Type"] = types[bodyKind];
  for (const [name, text] of parseHeaders(settings.headers) ?? []) {
    // case-insensitive
    const known = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase());
    headers[known ?? name] = headerText(text, value);
  }
  return {
    method: settings.method,
    url: filled(settings.url, encodeUrl),
    headers,
    body: bodyKind === "none" ? undefined : fillBody(settings, filled),
  };
}

function fillBody(
  { bodyKind, body }: HttpSettings,
  filled: (text: string, escape: (plain: string) => string) => string,
): string {
  if (bodyKind === "json") return filled(body, (plain) => JSON.stringify(plain).slice(1, -1));
  if (bodyKind === "text") return filled(body, (plain) => plain);
  const form = new URLSearchParams();
  for (const [name, text] of parseForm(body) ?? [])
    form.append(
      name,
      filled(text, (plain) => plain),
    );
  return form.toString();
}

function placeholderValues(message: Outbound): Record<ChannelField, string> {
  const { id, to, subject, body, language, username } = message;
  const line = body.replaceAll(/\s+/g, " ").trim();
  return { id, to, digits: to.replaceAll(/\D/g, ""), subject, body, line, language, username };
}

/** Dot segments change a path in any encoding (URL 4.4): a space prevents that. */
function encodeUrl(plain: string): string {
  const encoded = encodeURIComponent(plain).replaceAll(/[!'()*]/g, (sign) => `%${hex(sign)}`);
  return /^\.{1,2}$/.test(encoded) ? `${encoded}%20` : encoded;
}

const hex = (sign: string) => sign.charCodeAt(0).toString(16).toUpperCase();

/** ASCII only (RFC 9110 5.5); beyond it RFC 2047, which ntfy and others decode. */
function headerText(text: string, value: (name: string) => string): string {
  // RFC 7617
  const basic = /^Basic\s+(.*)$/i.exec(text)?.[1];
  const plain = fillMarks(basic ?? text, value)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  if (basic !== undefined && basic.includes(":")) return `Basic ${Buffer.from(plain).toString("base64")}`;
  const whole = basic === undefined ? plain : `Basic ${plain}`;
  return /^[\x20-\x7e]*$/.test(whole) ? whole : `=?UTF-8?B?${Buffer.from(whole).toString("base64")}?=`;
}
