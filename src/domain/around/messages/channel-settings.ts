import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault } from "../../core/fields/fields.ts";
import { marked, marksIn, strayMark } from "./marks.ts";

/* `{{ }}` is filled in and escaped; `{{secret.NAME}}` is a secret. */

export const tlsModes = ["starttls", "implicit", "none"] as const;
export const methods = ["GET", "POST", "PUT"] as const;
export const bodyKinds = ["none", "json", "form", "text"] as const;

export interface SmtpSettings {
  readonly kind: "smtp";
  readonly host: string;
  readonly port: number;
  readonly tls: (typeof tlsModes)[number];
  readonly user: string;
  /** With optional name. */
  readonly from: string;
  readonly replyTo: string;
}

export interface HttpSettings {
  readonly kind: "http";
  readonly method: (typeof methods)[number];
  readonly url: string;
  /** `Name: value` lines. */
  readonly headers: string;
  readonly bodyKind: (typeof bodyKinds)[number];
  /** JSON, text, or `name=value` lines. */
  readonly body: string;
  /** Success statuses; 2xx is a hundred. */
  readonly success: string;
  /** Required in the answer; empty: anything. */
  readonly match: string;
}

/** Notifications in browsers, which need no settings. */
export interface PushSettings {
  readonly kind: "push";
}

export type ChannelSettings = SmtpSettings | HttpSettings | PushSettings;

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
  if (settings.kind === "push") return [];
  if (settings.kind === "smtp") return settings.user === "" ? [] : ["password"];
  return marksIn(`${settings.url}\n${settings.headers}\n${settings.body}`).flatMap(
    (name) => SECRET.exec(name)?.[1] ?? [],
  );
}

/** The place to which a channel sends; moving elsewhere drops secrets. */
export function originOf(settings: ChannelSettings): string {
  if (settings.kind === "push") return "";
  if (settings.kind === "smtp")
    return `smtp://${settings.host.toLowerCase()}:${settings.port}/${settings.tls}`;
  return originOfUrl(settings.url);
}

export function channelAddress(settings: ChannelSettings): string {
  return settings.kind === "http" ? `${settings.method} ${settings.url}` : originOf(settings);
}

function originOfUrl(url: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(url)?.[0].toLowerCase() ?? "";
}

export function findSettingsFaults(settings: ChannelSettings, faults: Faults): void {
  if (settings.kind === "smtp") findSmtpFaults(settings, faults);
  if (settings.kind === "http") findHttpFaults(settings, faults);
}

function findSmtpFaults({ host, from, replyTo }: SmtpSettings, faults: Faults): void {
  if (!/^[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/i.test(host))
    addFault(faults, "host", phrase`must be a name such as mail.example.com, or an address`);
  for (const [name, value] of [
    ["from", from],
    ["reply_to", replyTo],
  ] as const)
    if ((value !== "" || name === "from") && !isMailbox(value))
      addFault(
        faults,
        name,
        phrase`must be an address such as office@isp.example, or ${"Name <office@isp.example>"}`,
      );
}

const isMailbox = (text: string) =>
  /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(text) || /^[^<>",;:@\\]+ <[^\s@<>,;:"]+@[^\s@<>,;:"]+>$/.test(text);

function findHttpFaults(settings: HttpSettings, faults: Faults): void {
  const { method, url, headers, bodyKind, body, success } = settings;
  const origin = originOfUrl(url);
  const plain = URL.parse(url.replaceAll(/\{\{[^}]*\}\}/g, "x"));
  if (plain === null || origin === "" || origin.includes("{") || origin.includes("@"))
    addFault(
      faults,
      "url",
      phrase`must be an address such as https://gateway.example/send, with nothing to fill in before its path and no password in it`,
    );
  for (const [name, text] of [
    ["url", url],
    ["headers", headers],
    ["body", body],
  ] as const)
    findMarkFaults(name, text, faults);
  if (parseHeaders(headers) === undefined)
    addFault(faults, "headers", phrase`must be lines such as ${"Authorization: Bearer {{secret.token}}"}`);
  if (bodyKind === "json" && !isJson(body))
    addFault(
      faults,
      "body",
      phrase`must be JSON with its fields in quotes, such as ${'{"text": "{{body}}"}'}`,
    );
  if (bodyKind === "form" && parseForm(body) === undefined)
    addFault(faults, "body", phrase`must be lines such as ${"text={{body}}"}`);
  if (method === "GET" && bodyKind !== "none")
    addFault(faults, "body_kind", phrase`must be none: a GET has no body; put the fields into the URL`);
  if (parseStatuses(success) === undefined)
    addFault(faults, "success", phrase`must be statuses with commas between them, such as 200, 202 or 2xx`);
}

function findMarkFaults(name: string, text: string, faults: Faults): void {
  const stray = strayMark(text);
  if (stray !== undefined) addFault(faults, name, phrase`has ${stray}, which is no field`);
  const unknown = marksIn(text).find((mark) => !Object.hasOwn(channelFields, mark) && !SECRET.test(mark));
  if (unknown === undefined) return;
  const known = Object.keys(channelFields).join(", ");
  addFault(faults, name, phrase`${marked([unknown])} is no field; there are ${known} and secret.NAME`);
}

/** Fields only within strings, so that JSON stays valid. */
function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Name and value of each header; undefined: one is invalid, or a connection header. */
export function parseHeaders(lines: string): [string, string][] | undefined {
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

/** Name and value of each field of a form; undefined: one is invalid. */
export function parseForm(lines: string): [string, string][] | undefined {
  const pairs: [string, string][] = [];
  for (const line of lines.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.indexOf("=");
    if (at < 1) return undefined;
    pairs.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return pairs;
}

/** Whether a status is in a list; undefined: no list. */
export function parseStatuses(list: string): ((status: number) => boolean) | undefined {
  const parts = list.split(",").map((part) => part.trim().toLowerCase());
  if (!parts.every((part) => /^[1-5](\d\d|xx)$/.test(part))) return undefined;
  return (status) =>
    parts.some((part) => part === String(status) || part === `${Math.floor(status / 100)}xx`);
}
