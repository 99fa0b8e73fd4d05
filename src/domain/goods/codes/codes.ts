import { randomInt } from "node:crypto";
import type { Vault } from "../../../../db/vault.ts";
import { codePoints } from "../../core/fields/text.ts";

/** Letters and digits that nobody mistakes for another on paper: no 0, O, 1, I, L. */
export const CLEAR_SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
/** For keypads. */
export const DIGITS = "0123456789";

/** How the codes of a batch are made: a prefix, and `length` symbols of an alphabet. */
export interface CodeForm {
  readonly prefix: string;
  readonly length: number;
  readonly alphabet: string;
}

/** Fewest codes that a form has to have. */
const LEAST_SPACE = 1e9;
/** Codes for each card that can still be used: a thousand guesses a second then need a day for one card. */
const SPACE_A_CARD = 1e8;

/** What is compared of a code as it was typed: capitals, without spaces, dashes and what nobody sees. */
export function normalCode(text: string): string {
  // what QR codes and pages send already has the form
  return /^[A-Z0-9]*$/.test(text) ? text : normalSymbols(text).toUpperCase();
}

/** The zeros of the digits that keyboards write: Arabic, Persian, Devanagari, Bengali; the other nine of each follow it. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];

/** The symbols of what was typed, in their case; wide ones and digits of other scripts, which some keyboards write, are the same. */
export function normalSymbols(text: string): string {
  if (/^[!-,.-~]*$/.test(text)) return text;
  return text
    .normalize("NFKC")
    .replace(/[\s\p{Dash}\p{C}]+/gu, "")
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
    });
}

/** Symbols of a code from elsewhere: fewer are guessed by hand, more no field for a name takes. */
const FEWEST = 4;
const MOST_SYMBOLS = 64;

/** What is wrong with a normal code that was not drawn here, if anything; it may have symbols of any script. */
export function codeFault(code: string): string | undefined {
  const length = codePoints(code);
  if (length < FEWEST) return `is a code of fewer than ${FEWEST} letters and digits, which anybody guesses`;
  if (length > MOST_SYMBOLS) return `is a code of more than ${MOST_SYMBOLS} letters and digits`;
  return /[\p{Cc}\uFFFD]/u.test(code) || !code.isWellFormed()
    ? "is a code with characters that were lost in an encoding, or that nobody can type"
    : undefined;
}

/** A code as it is printed, in groups of three to five, the longer ones first: F3QH-5UWT, AUN9T-25ZP. */
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

/**
 * A code for a file: one that spreadsheets would take for a number, and so lose its zeros or round it (0123456789, 2345E67), as it is
 * printed. With dashes it opens the same.
 */
export function codeInFile(code: string): string {
  return /^\d+(?:E\d+)?$/.test(code) ? printedCode(code) : code;
}

/** The number of a card, which stands wherever a username would: C-000123. */
export function cardNumber(id: number): string {
  return `C-${String(id).padStart(6, "0")}`;
}

/** The id of a card's number as somebody typed it; undefined: it is none. */
export function cardOfNumber(text: string): number | undefined {
  const [, digits] = /^c-?(\d{1,15})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** How many symbols of an alphabet a batch needs, where `usable` cards of that form will be about. */
export function lengthNeeded(alphabet: string, usable: number): number {
  const needed = Math.max(LEAST_SPACE, SPACE_A_CARD * usable);
  // a product, not a logarithm: whole powers have to come out exactly
  let space = 1;
  for (let length = 0; ; length++) {
    if (space >= needed) return length;
    space *= new Set(alphabet).size;
  }
}

/** A code by the system's random numbers; every one of the form is as likely as any other. */
export function drawCode({ prefix, length, alphabet }: CodeForm): string {
  let code = prefix;
  for (let i = 0; i < length; i++) code += alphabet[randomInt(alphabet.length)];
  return code;
}

/** Of SHA-256. */
const BLOCK = 64;
const DIGEST = 32;
/** Bytes of a key that are kept. */
const KEPT = 16;
/** Bytes of a code that are looked at; nobody has such a long one. */
const MOST = 1024;

/**
 * Looks codes up: the HMAC-SHA256 (RFC 2104) under the key of the appliance, cut to 128 bits, so that a copy of the store gives no card
 * away. By one-shot digests over buffers and views that are kept: every login of an unknown name needs one, and an object of node:crypto
 * costs three times as much.
 */
export class CodeKeys {
  readonly #inner = new Uint8Array(BLOCK + MOST);
  readonly #outer = new Uint8Array(BLOCK + DIGEST);
  readonly #code = this.#inner.subarray(BLOCK);
  readonly #innerDigest = this.#outer.subarray(BLOCK);
  readonly #digest = Buffer.alloc(DIGEST);
  readonly #key = this.#digest.subarray(0, KEPT);
  /** The beginnings of the inner text, by how many bytes the code has. */
  readonly #beginnings: (Uint8Array | undefined)[] = [];

  constructor(vault: Vault) {
    const key = vault.deriveKey("card codes");
    for (let i = 0; i < BLOCK; i++) {
      this.#inner[i] = (key[i] ?? 0) ^ 0x36;
      this.#outer[i] = (key[i] ?? 0) ^ 0x5c;
    }
  }

  /** Of a normal code. */
  of(code: string): Buffer {
    return Buffer.from(this.once(code));
  }

  /** The same, to be used at once: the next one overwrites it. */
  once(code: string): Buffer {
    const length = this.#write(code);
    const text = (this.#beginnings[length] ??= this.#inner.subarray(0, BLOCK + length));
    Bun.SHA256.hash(text, this.#innerDigest);
    Bun.SHA256.hash(this.#outer, this.#digest);
    return this.#key;
  }

  /** How many bytes it has. Nearly all codes are short and ASCII, which is written faster than a call takes. */
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
