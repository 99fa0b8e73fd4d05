import { MovingRefused, type SourceFile } from "../../source.ts";

/** How a file's bytes are text. */
export interface Encoding {
  readonly name: string;
  /** false: the usual one was assumed. */
  readonly sure: boolean;
}

/** Statistics of the bytes. */
interface Looked {
  readonly head: Uint8Array;
  readonly isUtf8: boolean;
  /** Counts of bytes above 0x7f. */
  readonly high: Uint32Array;
  readonly controls: number;
  readonly bytes: number;
}

const HEAD = 65_536;

export async function detectEncoding(file: SourceFile): Promise<Encoding> {
  const looked = await lookAt(file);
  refuseOthers(file.name, looked.head);
  const marked = findMark(looked.head);
  if (marked !== undefined) return { name: marked, sure: true };
  if (looked.controls > 8 && looked.controls * 200 > looked.bytes)
    throw new MovingRefused(`${file.name} is no text: save the table as CSV, and give that file`);
  if (looked.isUtf8) return { name: "utf-8", sure: true };
  return ofBytes(looked.high);
}

/** The text without a BOM. Throws MovingRefused for an unknown encoding. */
export async function* decodeFile(file: SourceFile, encoding: string, onBytes: (bytes: number) => void) {
  const decoder = decoderFor(encoding);
  for await (const chunk of file.open()) {
    onBytes(chunk.length);
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

function decoderFor(encoding: string) {
  try {
    return new TextDecoder(encoding as Bun.Encoding);
  } catch (cause) {
    throw new MovingRefused(
      `${JSON.stringify(encoding)} is no encoding that is known: write utf-8, utf-16le, utf-16be, windows-1252 or windows-1256`,
      { cause },
    );
  }
}

async function lookAt(file: SourceFile): Promise<Looked> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const high = new Uint32Array(256);
  const begun: Uint8Array[] = [];
  let [bytes, controls, isUtf8] = [0, 0, true];
  for await (const chunk of file.open()) {
    if (bytes < HEAD) begun.push(chunk.slice(0, HEAD - bytes));
    bytes += chunk.length;
    if (isUtf8) isUtf8 = decodes(utf8, chunk);
    for (const byte of chunk)
      if (byte >= 0x80) high[byte] = (high[byte] ?? 0) + 1;
      else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) controls++;
  }
  if (isUtf8) isUtf8 = decodes(utf8);
  return { head: Buffer.concat(begun), isUtf8, high, controls, bytes };
}

function decodes(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

const OTHERS: readonly (readonly [begins: readonly number[], what: string])[] = [
  [
    [0x50, 0x4b, 3, 4],
    "is a workbook (.xlsx, .ods) or an archive: open it in a spreadsheet and save it as CSV",
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], "is an old workbook (.xls): open it in a spreadsheet and save it as CSV"],
  [[0x25, 0x50, 0x44, 0x46], "is a PDF, which has no columns: export the list as CSV where it was made"],
  [[0x1f, 0x8b], "is compressed (gzip): unpack it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "is compressed (zstd): unpack it first"],
  [[0xfd, 0x37, 0x7a, 0x58], "is compressed (xz): unpack it first"],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], "is a text document (.rtf): save the table as CSV"],
];

function refuseOthers(name: string, head: Uint8Array): void {
  const other = OTHERS.find(([begins]) => begins.every((byte, index) => head[index] === byte));
  if (other) throw new MovingRefused(`${name} ${other[1]}, and give that file`);
  if (head.length === 0) throw new MovingRefused(`${name} is empty`);
  const text = new TextDecoder().decode(head.subarray(0, 4096)).trimStart().toLowerCase();
  if (/^(<!doctype|<html|<\?xml|<table)/.test(text))
    throw new MovingRefused(`${name} is a web page or XML: save the table as CSV, and give that file`);
  if (/^(-- |\/\*[!m])|^\\restrict|^create table |^insert into /.test(text))
    throw new MovingRefused(`${name} is a dump of a database: choose the system that it is of as the source`);
}

/** The encoding by a byte order mark, or by the zero bytes of UTF-16. */
function findMark(head: Uint8Array): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  let [even, odd] = [0, 0];
  for (const [index, byte] of head.entries()) {
    if (byte === 0 && index % 2 === 0) even++;
    else if (byte === 0) odd++;
  }
  const half = head.length / 2;
  if (odd > half * 0.3 && even < half * 0.02) return "utf-16le";
  return even > half * 0.3 && odd < half * 0.02 ? "utf-16be" : undefined;
}

/** Single-byte: Arabic and Cyrillic letters lie elsewhere than Western European ones, the default. */
function ofBytes(high: Uint32Array): Encoding {
  const total = high.reduce((sum, count) => sum + count, 0);
  const countShare = (encoding: Bun.Encoding, letters: RegExp) => {
    const decoder = new TextDecoder(encoding);
    let found = 0;
    for (const [byte, count] of high.entries())
      if (count > 0 && letters.test(decoder.decode(new Uint8Array([byte])))) found += count;
    return found / total;
  };
  if (total >= 12 && countShare("windows-1256", /[\p{Script=Arabic}\u060c\u061b\u061f]/u) > 0.97)
    return { name: "windows-1256", sure: true };
  if (
    total >= 12 &&
    countShare("windows-1251", /[а-яё]/) > 0.6 &&
    countShare("windows-1251", /[А-яЁё№]/) > 0.97
  )
    return { name: "windows-1251", sure: true };
  return { name: "windows-1252", sure: false };
}
