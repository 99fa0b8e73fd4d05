import { randomInt } from "node:crypto";
import type { Vault } from "../../../../db/vault.ts";
import { latinDigits } from "../../core/amounts/digits.ts";
import { codePoints } from "../../core/fields/text.ts";

/** Unambiguous on paper: no 0, O, 1, I, L. */
export const CLEAR_SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const DIGITS = "0123456789";

/** Prefix, and `length` symbols of an alphabet. */
export interface CodeForm {
  readonly prefix: string;
  readonly length: number;
  readonly alphabet: string;
}

/** Possible codes of a form at least. */
const LEAST_SPACE = 1e9;
/** Possible codes for each usable card: at a thousand guesses a second one hit takes a day. */
const SPACE_A_CARD = 1e8;

/** Upper case, without spaces, dashes and invisible characters. */
export function normalCode(text: string): string {
  // fast path for QR codes and pages
  return /^[A-Z0-9]*$/.test(text) ? text : normalSymbols(text).toUpperCase();
}

/** Folds wide and non-Latin digits of some keyboards, keeping case. */
export function normalSymbols(text: string): string {
  if (/^[!-,.-~]*$/.test(text)) return text;
  return latinDigits(text.normalize("NFKC").replace(/[\s\p{Dash}\p{C}]+/gu, ""));
}

/** Symbols of an imported code: fewer are guessable, more fit no field. */
const FEWEST = 4;
const MOST_SYMBOLS = 64;

/** An imported code's fault; any script is allowed. */
export function codeFault(code: string): string | undefined {
  const length = codePoints(code);
  if (length < FEWEST) return `is a code of fewer than ${FEWEST} letters and digits, which anybody guesses`;
  if (length > MOST_SYMBOLS) return `is a code of more than ${MOST_SYMBOLS} letters and digits`;
  return /[\p{Cc}\uFFFD]/u.test(code) || !code.isWellFormed()
    ? "is a code with characters that were lost in an encoding, or that nobody can type"
    : undefined;
}

export function printedCode(code: string): string {
  if (code.length <= 5) return code;
  const count =
    code.length % 5 === 0 && code.length % 4 !== 0 ? code.length / 5 : Math.round(code.length / 4);
  const [size, longer] = [Math.floor(code.length / count), code.length % count];
  const groups = Array.from({ length: count }, (_, at) => {
    const from = at * size + Math.min(at, longer);
    return code.slice(from, from + size + (at < longer ? 1 : 0));
  });
  return groups.join("-");
}

/** The code for spreadsheets: one that looks like a number (0123456789, 2345E67) has dashes, or would lose its zeros. Both work. */
export function codeInFile(code: string): string {
  return /^\d+(?:E\d+)?$/.test(code) ? printedCode(code) : code;
}

/** The card's username, C-000123. */
export function cardNumber(id: number): string {
  return `C-${String(id).padStart(6, "0")}`;
}

export function parseCardNumber(text: string): number | undefined {
  const [, digits] = /^c-?(\d{1,15})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Symbols that a batch needs, given `usable` cards. */
export function lengthNeeded(alphabet: string, usable: number): number {
  const needed = Math.max(LEAST_SPACE, SPACE_A_CARD * usable);
  // a product, because whole powers must be exact
  let space = 1;
  for (let length = 0; ; length++) {
    if (space >= needed) return length;
    space *= new Set(alphabet).size;
  }
}

/** Uniform, by the system's random numbers. */
export function drawCode({ prefix, length, alphabet }: CodeForm): string {
  let code = prefix;
  for (let i = 0; i < length; i++) code += alphabet[randomInt(alphabet.length)];
  return code;
}

const BLOCK = 64;
const DIGEST = 32;
/** Bytes kept of a key. */
const KEPT = 16;
/** Longest code in bytes. */
const MOST = 1024;

/**
 * Looks codes up by HMAC-SHA256 (RFC 2104) under the appliance's key, cut to 128 bits, so that a copied store reveals none.
 * Written with one-shot digests on reused buffers: every unknown login needs one, and node:crypto objects cost three times as
 * much.
 */
export class CodeKeys {
  readonly #inner = new Uint8Array(BLOCK + MOST);
  readonly #outer = new Uint8Array(BLOCK + DIGEST);
  readonly #code = this.#inner.subarray(BLOCK);
  readonly #innerDigest = this.#outer.subarray(BLOCK);
  readonly #digest = Buffer.alloc(DIGEST);
  readonly #key = this.#digest.subarray(0, KEPT);
  /** Inner prefixes by code length. */
  readonly #beginnings: (Uint8Array | undefined)[] = [];

  constructor(vault: Vault) {
    const key = vault.deriveKey("card codes");
    for (let i = 0; i < BLOCK; i++) {
      this.#inner[i] = (key[i] ?? 0) ^ 0x36;
      this.#outer[i] = (key[i] ?? 0) ^ 0x5c;
    }
  }

  of(code: string): Buffer {
    return Buffer.from(this.once(code));
  }

  /** Valid until the next call. */
  once(code: string): Buffer {
    const length = this.#write(code);
    const text = (this.#beginnings[length] ??= this.#inner.subarray(0, BLOCK + length));
    Bun.SHA256.hash(text, this.#innerDigest);
    Bun.SHA256.hash(this.#outer, this.#digest);
    return this.#key;
  }

  /** Bytes written; short ASCII is copied by hand, faster than a call. */
  #write(code: string): number {
    if (code.length > BLOCK) return encoder.encodeInto(code, this.#code).written;
    for (let i = 0; i < code.length; i++) {
      const symbol = code.charCodeAt(i);
      if (symbol > 127) return encoder.encodeInto(code, this.#code).written;
      this.#code[i] = symbol;
    }
    return code.length;
  }
}

const encoder = new TextEncoder();
