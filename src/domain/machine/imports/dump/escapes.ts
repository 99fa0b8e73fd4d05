/** Bytes of escape letters; others stand for themselves. */
function table(letters: Readonly<Record<string, number>>): Uint8Array {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const [letter, byte] of Object.entries(letters)) bytes[letter.charCodeAt(0)] = byte;
  return bytes;
}

const mysql = table({ "0": 0, b: 8, t: 9, n: 10, r: 13, Z: 26 });
const postgres = table({ b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 });
const BACKSLASH = 0x5c;

/** MySQL escapes and doubled quotes; `\%` and `\_` keep their backslash, as in its server. */
export function unescapeMysql(bytes: Uint8Array, quote: number, hasEscapes: boolean): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === quote) i++;
    if (byte !== BACKSLASH || !hasEscapes) {
      out[length++] = byte;
      continue;
    }
    const letter = bytes[++i] as number;
    if (letter === 0x25 || letter === 0x5f) out[length++] = BACKSLASH;
    out[length++] = mysql[letter] as number;
  }
  return out.subarray(0, length);
}

/** PostgreSQL escapes of E'...' and COPY, which has no `quote`. */
export function unescapePostgres(bytes: Uint8Array, quote: number | undefined): Buffer {
  // never longer than its escape
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === quote) i++;
    if (byte !== BACKSLASH || i + 1 >= bytes.length) {
      out[length++] = byte;
      continue;
    }
    const letter = bytes[++i] as number;
    const code = numbered(bytes, i, letter, quote !== undefined);
    if (code === undefined) out[length++] = postgres[letter] as number;
    else {
      if (code.isPoint) length += out.write(String.fromCodePoint(code.value), length);
      else out[length++] = code.value;
      i = code.last;
    }
  }
  return out.subarray(0, length);
}

interface Code {
  readonly value: number;
  readonly isPoint: boolean;
  readonly last: number;
}

/** \ooo and \xhh; in E'...' also \uXXXX and \UXXXXXXXX. */
function numbered(bytes: Uint8Array, at: number, letter: number, hasPoints: boolean): Code | undefined {
  if (letter >= 0x30 && letter <= 0x37) {
    const { value, last } = digits(bytes, at, 3, 8);
    return { value: value & 0xff, isPoint: false, last };
  }
  const longest = letter === 0x78 ? 2 : letter === 0x75 ? 4 : letter === 0x55 ? 8 : 0;
  if (longest === 0 || (longest > 2 && !hasPoints)) return undefined;
  const { value, last } = digits(bytes, at + 1, longest, 16);
  if (last === at || (longest > 2 && (last !== at + longest || value > 0x10ffff))) return undefined;
  return { value, isPoint: longest > 2, last };
}

function digits(
  bytes: Uint8Array,
  from: number,
  longest: number,
  base: number,
): { value: number; last: number } {
  let value = 0;
  let i = from;
  for (; i < bytes.length && i < from + longest; i++) {
    const digit = hexDigit(bytes[i] as number);
    if (digit >= base) break;
    value = value * base + digit;
  }
  return { value, last: i - 1 };
}

/** 16: no digit. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 16;
}
