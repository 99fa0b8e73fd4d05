import { printedCode, normalCode } from "../../domain/goods/codes/codes.ts";
import { NtKey } from "../../domain/service/access/nt-key.ts";
import { ntPasswordHash } from "../../domain/goods/subscribers/password.ts";
import { utf8 } from "../packet/packet.ts";
import type { Credentials, Password } from "./credentials.ts";

/** A clear password whose NT key is derived on first use. */
export class ClearPassword implements Password {
  readonly clear: Buffer;
  readonly #text: string;
  #ntKey: NtKey | undefined;

  constructor(text: string) {
    this.#text = text;
    this.clear = Buffer.from(text);
  }

  get ntKey(): NtKey {
    return (this.#ntKey ??= new NtKey(ntPasswordHash(this.#text)));
  }
}

export const EMPTY = new ClearPassword("");

/** Most passwords kept, about a kilobyte each; then all are dropped at once. */
const MAX_KEPT = 10_000;

/**
 * Checks logins with a card's code as name, whose password is the code again or empty. Matching passwords are cached, because
 * most of the cost of MS-CHAP is deriving the key.
 */
export class CardProofs {
  readonly #kept = new Map<number, Password>();

  /** The password that a card's login proves; undefined: none. PAP carries it as typed. */
  of(
    credentials: Credentials,
    { cardId, code, name }: { cardId: number; code: string; name: string },
  ): Password | undefined {
    const { clear } = credentials;
    if (clear !== undefined) return provesInClear(clear, code) ? EMPTY : undefined;
    const kept = this.#kept.get(cardId);
    if (kept && credentials.verify(kept)) return kept;
    const fitting = fittingWriting(credentials, code, name);
    if (fitting && this.#kept.size >= MAX_KEPT) this.#kept.clear();
    if (fitting) this.#kept.set(cardId, fitting);
    return fitting;
  }
}

/** The notation that fits; for CHAP and MS-CHAP only those used by people and pages can be tried. */
function fittingWriting(credentials: Credentials, code: string, name: string): Password | undefined {
  for (const writing of new Set([name, code, "", code.toLowerCase(), printedCode(code)])) {
    const password = writing === "" ? EMPTY : new ClearPassword(writing);
    if (credentials.verify(password)) return password;
  }
  return undefined;
}

function provesInClear(clear: Buffer, code: string): boolean {
  const text = utf8(clear);
  if (text === undefined) return false;
  const entered = normalCode(text);
  return entered === "" || isSame(entered, code);
}

/** Compares in constant time, but for the length. */
function isSame(entered: string, code: string): boolean {
  let differing = entered.length ^ code.length;
  for (let i = 0; i < code.length; i++) differing |= entered.charCodeAt(i) ^ code.charCodeAt(i);
  return differing === 0;
}
