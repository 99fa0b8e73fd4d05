import { randomInt } from "node:crypto";
import type { Vault } from "../../../db/vault.ts";

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
export function normalCode(typed: string): string {
  // what QR codes and pages send already has the form
  return /^[A-Z0-9]*$/.test(typed) ? typed : typed.replace(/[\s\p{Dash}\p{C}]+/gu, "").toUpperCase();
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

/** The number of a card, which stands wherever a username would: C-000123. */
export function cardNumber(id: number): string {
  return `C-${String(id).padStart(6, "0")}`;
}

/** The id of a card's number as somebody typed it; undefined: it is none. */
export function cardOfNumber(typed: string): number | undefined {
  const [, digits] = /^c-?(\d{1,15})$/i.exec(typed.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** How many symbols of an alphabet a batch needs, where `usable` cards of that form will be about. */
export function lengthNeeded(alphabet: string, usable: number): number {
  const wanted = Math.max(LEAST_SPACE, SPACE_A_CARD * usable);
  // a product, not a logarithm: whole powers have to come out exactly
  let space = 1;
  for (let length = 0; ; length++) {
    if (space >= wanted) return length;
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
/** Bytes of a code that are looked at; nobody has such a long one. */
const MOST = 1024;

/**
 * Looks codes up: the HMAC-SHA256 (RFC 2104) under the key of the appliance, cut to 128 bits, so that a copy of the store gives no card
 * away. By one-shot digests over a buffer that is kept: every login of an unknown name needs one, and an object of node:crypto costs
 * three times as much.
 */
export class CodeKeys {
  readonly #inner = new Uint8Array(BLOCK + MOST);
  readonly #outer = new Uint8Array(BLOCK + DIGEST);
  readonly #code = this.#inner.subarray(BLOCK);
  readonly #innerDigest = this.#outer.subarray(BLOCK);
  readonly #digest = Buffer.alloc(DIGEST);

  constructor(vault: Vault) {
    const key = vault.deriveKey("card codes");
    for (let i = 0; i < BLOCK; i++) {
      this.#inner[i] = (key[i] ?? 0) ^ 0x36;
      this.#outer[i] = (key[i] ?? 0) ^ 0x5c;
    }
  }

  /** Of a normal code. */
  of(code: string): Buffer {
    const { written } = encoder.encodeInto(code, this.#code);
    Bun.SHA256.hash(this.#inner.subarray(0, BLOCK + written), this.#innerDigest);
    Bun.SHA256.hash(this.#outer, this.#digest);
    return Buffer.from(this.#digest.subarray(0, 16));
  }
}

const encoder = new TextEncoder();
