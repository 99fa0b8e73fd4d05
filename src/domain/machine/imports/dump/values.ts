import { MovingRefused } from "../source.ts";
import { asUtf8 } from "./charset.ts";
import { hexDigit } from "./escapes.ts";
import type { DumpValue } from "./row.ts";
import type { Session } from "./session.ts";

/** Text of bytes in the dump's character set. Throws MovingRefused for a set that nothing here reads. */
export function decoded(session: Session, bytes: Uint8Array): string {
  const text = session.charset.decode(bytes);
  if (text !== undefined) return text;
  throw new MovingRefused(
    `its text is in the character set ${session.charset.said}, which cannot be read here: make the dump again with --default-character-set=utf8mb4 (MySQL, MariaDB) or --encoding=UTF8 (PostgreSQL)`,
  );
}

/** Of a column that holds bytes: text where they are some. */
export function textOrBytes(bytes: Uint8Array): DumpValue {
  for (const byte of bytes) {
    if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return Uint8Array.from(bytes);
  }
  return asUtf8(bytes) ?? Uint8Array.from(bytes);
}

/** What PostgreSQL writes for bytes: `\x` and hex; another form, of before its version 9, is as it is written. */
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

/** Functions that stand in dumps for values: bytes in hex, and in SQLite the ends of lines. Throw MovingRefused. */
export const functions: ReadonlyMap<string, (values: readonly DumpValue[]) => DumpValue> = new Map([
  ["unhex", ([digits]) => (typeof digits === "string" ? textOrBytes(fromHex(Buffer.from(digits))) : null)],
  ["char", ([code]) => String.fromCodePoint(/^\d{1,3}$/.test(String(code)) ? Number(code) : 0xfffd)],
  ["replace", ([text, what, by]) => replaced(String(text), String(what), String(by))],
]);

/** A letter by a letter is what SQLite writes; what grows is not from it. */
function replaced(text: string, what: string, by: string): string {
  if (what === "" || by.length > what.length)
    throw new MovingRefused("replace() makes a value longer, which no dump does");
  return text.replaceAll(what, () => by);
}
