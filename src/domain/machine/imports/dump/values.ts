import { MovingRefused } from "../source.ts";
import { asUtf8 } from "./charset.ts";
import { hexDigit } from "./escapes.ts";
import type { DumpValue } from "./row.ts";
import type { Session } from "./session.ts";

/** Throws MovingRefused for an unsupported charset. */
export function decoded(session: Session, bytes: Uint8Array): string {
  const text = session.charset.decode(bytes);
  if (text !== undefined) return text;
  throw new MovingRefused(
    `its text is in the character set ${session.charset.said}, which cannot be read here: make the dump again with --default-character-set=utf8mb4 (MySQL, MariaDB) or --encoding=UTF8 (PostgreSQL)`,
  );
}

/** Binary columns: text where valid. */
export function textOrBytes(bytes: Uint8Array): DumpValue {
  for (const byte of bytes) {
    if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return Uint8Array.from(bytes);
  }
  return asUtf8(bytes) ?? Uint8Array.from(bytes);
}

/** `\x` and hex; the older form stays as written. */
export function ofBytea(text: string): DumpValue {
  return text.startsWith("\\x") ? textOrBytes(fromHex(Buffer.from(text.slice(2)))) : text;
}

/** Throws MovingRefused for what is no hex. */
export function fromHex(digits: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(digits.length >>> 1);
  if (digits.length % 2 === 1) throw new MovingRefused("a blob in hex has half a byte");
  for (let i = 0; i < bytes.length; i++) {
    const high = hexDigit(digits[2 * i] as number);
    const low = hexDigit(digits[2 * i + 1] as number);
    if (high > 15 || low > 15) throw new MovingRefused("a blob in hex has something else than digits");
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

/** Value functions: hex bytes, and SQLite's line ends. Throw MovingRefused. */
export const functions: ReadonlyMap<string, (values: readonly DumpValue[]) => DumpValue> = new Map([
  ["unhex", ([digits]) => (typeof digits === "string" ? textOrBytes(fromHex(Buffer.from(digits))) : null)],
  ["char", ([code]) => String.fromCodePoint(/^\d{1,3}$/.test(String(code)) ? Number(code) : 0xfffd)],
  ["replace", ([text, what, by]) => replaced(String(text), String(what), String(by))],
]);

/** SQLite replaces single letters; anything that grows is not from it. */
function replaced(text: string, what: string, by: string): string {
  if (what === "" || by.length > what.length)
    throw new MovingRefused("replace() makes a value longer, which no dump does");
  return text.replaceAll(what, () => by);
}
