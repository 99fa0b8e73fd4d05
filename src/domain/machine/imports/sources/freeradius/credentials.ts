import type { MovedSubscriber, PasswordLoss } from "../../model.ts";
import { parseMac } from "../../../../core/fields/text.ts";
import type { Combined, Pair } from "./pairs.ts";

export interface Credentials {
  readonly password: MovedSubscriber["password"];
  readonly count: number;
  /** Auth-Type without a password. */
  readonly auth: "accept" | "reject" | null;
}

const clear = new Set(["cleartext-password", "user-password", "password", "password-with-header"]);
/** Salted and plain hashes. */
const HASHED = /^(crypt|s?md5|s?sha\d?|s?sha[123](-\d+)?|sha2-\d+|ssha\d*-?\d*|pbkdf2|lm)-password$/;
const HEADER = /^\{([\w-]+)\}(.*)$/s;

/** What FreeRADIUS would check. */
export function readCredentials({ control }: Combined): Credentials {
  const found = control.filter(({ name }) => clear.has(name)).map(parseClear);
  const texts = [...new Set(found.filter((text) => text !== undefined && text !== ""))];
  return {
    password: texts[0] ?? { lost: findLoss(control, found.includes(undefined)) },
    count: texts.length,
    auth: readAuth(control),
  };
}

/** The clear text of a pair; undefined: it is a tagged hash. */
function parseClear({ name, value }: Pair): string | undefined {
  const [, kind = "", rest = ""] = name === "cleartext-password" ? [] : (HEADER.exec(value) ?? []);
  if (kind === "") return value;
  if (/^(clear|cleartext)$/i.test(kind)) return rest;
  return /^(crypt|s?md5|s?sha\d*|ssha\d*|nt|nthash|x-nthash|x-.*|base64.*)$/i.test(kind) ? undefined : value;
}

function findLoss(control: readonly Pair[], hasHash: boolean): PasswordLoss {
  if (hasHash || control.some(({ name }) => HASHED.test(name))) return "hashed";
  return control.some(({ name }) => name === "nt-password") ? "nt_only" : "none";
}

function readAuth(control: readonly Pair[]): Credentials["auth"] {
  const value = control.find(({ name }) => name === "auth-type")?.value.toLowerCase();
  if (value === "reject" || value === "4") return "reject";
  return value === "accept" || value === "254" ? "accept" : null;
}

/** A bound device, and addresses that cannot be. */
export interface Device {
  readonly mac: string | null;
  readonly isLocked: boolean;
  /** Rows that are changed, and why. */
  readonly left: readonly (readonly [Pair, string])[];
}

/** Comparing operators bind, `:=` never does. */
export function readDevice({ control, conditions }: Combined): Device {
  const rows = conditions.filter(({ name, table }) => name === "calling-station-id" && table === "radcheck");
  const bound = rows.filter(({ op }) => op === "==" || op === "=" || op === "=~");
  const left: [Pair, string][] = rows
    .filter((pair) => !bound.includes(pair))
    .map((pair) => [pair, "a subscriber here is bound to one address, or to none"]);
  const macs = [...new Set(bound.flatMap(({ value }) => macsIn(value)))];
  const [mac = null] = macs;
  if (bound.length > 0 && macs.length !== 1) {
    const why =
      mac === null
        ? "it is no MAC address"
        : `it names ${macs.length} addresses, and a subscriber here is bound to one or to none`;
    left.push(...bound.map((pair): [Pair, string] => [pair, why]));
  }
  if (bound.length > 0) return { mac, isLocked: macs.length === 1, left };
  const set = control.find(({ name }) => name === "calling-station-id");
  const [known = null] = set ? macsIn(set.value) : [];
  if (set)
    left.push([
      set,
      `with ${set.op} FreeRADIUS compares it with nothing, so that it locks nobody, and does not here`,
    ]);
  return { mac: known, isLocked: false, left };
}

/** MAC addresses in a list or a regular expression. */
function macsIn(text: string): string[] {
  const pieces = text.replace(/\[[:.-]+\][?*]?|\\/g, ":").split(/[|,;\s^$()/"]+|\(\?i\)/);
  return pieces.map((piece) => parseMac(piece)).filter((mac) => mac !== undefined);
}

export function parseMacUsername(username: string): string | undefined {
  return /^\d+$/.test(username) ? undefined : parseMac(username);
}
