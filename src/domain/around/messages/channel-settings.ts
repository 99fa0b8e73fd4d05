import { type FieldErrors } from "../../core/errors/errors.ts";
import { addFault } from "../../core/fields/fields.ts";
import { marksIn, strayMark } from "./marks.ts";

/*
 * How a channel sends. What it fills in stands in `{{ }}`, and is escaped for where it stands; `{{secret.NAME}}` is a secret of the channel.
 */

export const tlsModes = ["starttls", "implicit", "none"] as const;
export const methods = ["GET", "POST", "PUT"] as const;
export const bodyKinds = ["none", "json", "form", "text"] as const;

export interface SmtpSettings {
  readonly kind: "smtp";
  readonly host: string;
  readonly port: number;
  readonly tls: (typeof tlsModes)[number];
  /** Empty: it takes mail without a name. */
  readonly user: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
  readonly replyTo: string;
}

export interface HttpSettings {
  readonly kind: "http";
  readonly method: (typeof methods)[number];
  readonly url: string;
  /** A line each, `Name: value`. */
  readonly headers: string;
  readonly bodyKind: (typeof bodyKinds)[number];
  /** JSON, text, or of a form a line each, `name=value`. */
  readonly body: string;
  /** Statuses that mean that it took the message; a digit with xx after it is a hundred of them. */
  readonly success: string;
  /** What the answer has to contain; empty: anything will do. */
  readonly match: string;
}

export type ChannelSettings = SmtpSettings | HttpSettings;

/** What an HTTP channel may fill in, and what it is. */
const channelFields = {
  to: "the address or number, as it is stored",
  digits: "the number without + and blanks",
  subject: "the subject",
  body: "the text",
  line: "the text on one line",
  id: "our id of the message, the same whenever it comes again",
  language: "the language of the text",
  username: "of whom it is about",
} as const;
export type ChannelField = keyof typeof channelFields;

const SECRET = /^secret\.([a-z][a-z0-9_]{0,30})$/;

export function secretsNeeded(settings: ChannelSettings): string[] {
  if (settings.kind === "smtp") return settings.user === "" ? [] : ["password"];
  return marksIn(`${settings.url}\n${settings.headers}\n${settings.body}`).flatMap(
    (name) => SECRET.exec(name)?.[1] ?? [],
  );
}

/** Whom the secrets are shown to: a channel that is moved elsewhere forgets them. */
export function originOf(settings: ChannelSettings): string {
  if (settings.kind === "smtp")
    return `smtp://${settings.host.toLowerCase()}:${settings.port}/${settings.tls}`;
  return originOfUrl(settings.url);
}

/** What is called: of what an Admin allowed, another path is another address. */
export function addressOf(settings: ChannelSettings): string {
  return settings.kind === "smtp" ? originOf(settings) : `${settings.method} ${settings.url}`;
}

function originOfUrl(url: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(url)?.[0].toLowerCase() ?? "";
}

/** Adds what is wrong with how a channel sends. */
export function findSettingsFaults(settings: ChannelSettings, faults: FieldErrors): void {
  if (settings.kind === "smtp") findSmtpFaults(settings, faults);
  else findHttpFaults(settings, faults);
}

function findSmtpFaults({ host, from, replyTo }: SmtpSettings, faults: FieldErrors): void {
  if (!/^[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/i.test(host))
    addFault(faults, "host", "must be a name such as mail.example.com, or an address");
  for (const [name, value] of [
    ["from", from],
    ["reply_to", replyTo],
  ] as const)
    if ((value !== "" || name === "from") && !isMailbox(value))
      addFault(faults, name, "must be an address such as office@isp.example, or Name <office@isp.example>");
}

const isMailbox = (text: string) =>
  /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(text) || /^[^<>",;:@\\]+ <[^\s@<>,;:"]+@[^\s@<>,;:"]+>$/.test(text);

function findHttpFaults(settings: HttpSettings, faults: FieldErrors): void {
  const { method, url, headers, bodyKind, body, success } = settings;
  const origin = originOfUrl(url);
  const plain = URL.parse(url.replaceAll(/\{\{[^}]*\}\}/g, "x"));
  if (plain === null || origin === "" || origin.includes("{") || origin.includes("@"))
    addFault(
      faults,
      "url",
      "must be an address such as https://gateway.example/send, with nothing to fill in before its path and no password in it",
    );
  for (const [name, text] of [
    ["url", url],
    ["headers", headers],
    ["body", body],
  ] as const)
    findMarkFaults(name, text, faults);
  if (headersOf(headers) === undefined)
    addFault(faults, "headers", "must be lines such as Authorization: Bearer {{secret.token}}");
  if (bodyKind === "json" && !isJson(body))
    addFault(faults, "body", 'must be JSON with its fields in quotes, such as {"text": "{{body}}"}');
  if (bodyKind === "form" && formOf(body) === undefined)
    addFault(faults, "body", "must be lines such as text={{body}}");
  if (method === "GET" && bodyKind !== "none")
    addFault(faults, "body_kind", "must be none: a GET has no body; put the fields into the URL");
  if (statusesOf(success) === undefined)
    addFault(faults, "success", "must be statuses with commas between them, such as 200, 202 or 2xx");
}

function findMarkFaults(name: string, text: string, faults: FieldErrors): void {
  const stray = strayMark(text);
  if (stray !== undefined) addFault(faults, name, `has ${stray}, which is no field`);
  const unknown = marksIn(text).find((mark) => !Object.hasOwn(channelFields, mark) && !SECRET.test(mark));
  if (unknown === undefined) return;
  const known = Object.keys(channelFields).join(", ");
  addFault(faults, name, `{{${unknown}}} is no field; there are ${known} and secret.NAME`);
}

/** Fields stand within strings: a number or a name of a key would be another one for each message. */
function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** The headers of lines; undefined: one is none, or belongs to the connection. */
export function headersOf(lines: string): [string, string][] | undefined {
  const pairs: [string, string][] = [];
  for (const line of lines.split("\n")) {
    if (line.trim() === "") continue;
    const [, name, value] = /^([A-Za-z0-9-]{1,60}):\s*(.*)$/.exec(line.trim()) ?? [];
    if (name === undefined || value === undefined) return undefined;
    if (/^(host|connection|content-length|transfer-encoding|te|upgrade|expect)$/i.test(name))
      return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

/** The fields of a form of lines; undefined: a line is none. */
export function formOf(lines: string): [string, string][] | undefined {
  const pairs: [string, string][] = [];
  for (const line of lines.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.indexOf("=");
    if (at < 1) return undefined;
    pairs.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return pairs;
}

/** Whether a status is one of a list; undefined: it is no list. */
export function statusesOf(list: string): ((status: number) => boolean) | undefined {
  const parts = list.split(",").map((part) => part.trim().toLowerCase());
  if (!parts.every((part) => /^[1-5](\d\d|xx)$/.test(part))) return undefined;
  return (status) =>
    parts.some((part) => part === String(status) || part === `${Math.floor(status / 100)}xx`);
}
