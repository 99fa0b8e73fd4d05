import { printedCode, normalCode } from "../../domain/cards/codes.ts";
import { NtKey } from "../../domain/access/nt-key.ts";
import { ntPasswordHash } from "../../domain/subscribers/password.ts";
import { utf8 } from "../packet/packet.ts";
import { type Credentials, equalPasswords, type Password } from "./credentials.ts";

/** A password as text, whose key for MS-CHAP is made when it is first asked for. */
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

/**
 * The password by which a login with a code as its name proves itself; undefined: by none. It is the code again, or none at all. PAP
 * brings it as it was typed; of CHAP and MS-CHAP only the writings can be tried that people and pages use.
 */
export function proofOfCode(
  credentials: Credentials,
  code: string,
  nameAsSent: string,
): Password | undefined {
  const { clear } = credentials;
  if (clear !== undefined) return provesInClear(clear, code) ? EMPTY : undefined;
  for (const writing of new Set([nameAsSent, code, "", code.toLowerCase(), printedCode(code)])) {
    const password = writing === "" ? EMPTY : new ClearPassword(writing);
    if (credentials.verify(password)) return password;
  }
  return undefined;
}

function provesInClear(clear: Buffer, code: string): boolean {
  const typed = normalCode(utf8(clear) ?? "\0");
  return typed === "" || equalPasswords(Buffer.from(typed), Buffer.from(code));
}
