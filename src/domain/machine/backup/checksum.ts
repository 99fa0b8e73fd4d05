import {
  appendFileSync,
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";

/*
 * A backup ends with a line of text, the SHA-256 of everything before it; SQLite ignores what follows its last page. Only a
 * checksum shows a byte that changed within a value.
 */

const LEAD = "\ngatehouse sha256 ";
const LINE = LEAD.length + 64 + 1;
const form = new RegExp(`^${LEAD}([0-9a-f]{64})\n$`);

/** Bytes read at once. */
const PIECE = 2 ** 20;
/** The header of a SQLite database, and the position of its page size. */
const MAGIC = Buffer.from("SQLite format 3\0");
const PAGE_SIZE_AT = 16;

export function addChecksum(file: string): void {
  const { sum } = readThrough(file, 0);
  appendFileSync(file, `${LEAD}${sum}\n`);
}

/** Whether the file has a checksum. Throws `refused` for a wrong one, or for anything else at its end. */
export function verifyChecksum(file: string): boolean {
  const { sum, end, pageSize, bytes } = readThrough(file, LINE);
  const written = form.exec(end)?.[1];
  if (written === undefined) {
    if (pageSize > 0 && bytes % pageSize !== 0) throw damaged();
    return false;
  }
  if (written !== sum) throw damaged();
  return true;
}

export function removeChecksum(file: string): void {
  truncateSync(file, statSync(file).size - LINE);
}

/** Streams a backup; fails at the end for a wrong checksum. */
export async function* verified(file: string): AsyncGenerator<Buffer> {
  const hasher = new Bun.CryptoHasher("sha256");
  let end = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { highWaterMark: PIECE })) {
    const known = Buffer.concat([end, piece]);
    end = known.subarray(Math.max(0, known.length - LINE));
    hasher.update(known.subarray(0, known.length - end.length));
    yield piece;
  }
  const written = form.exec(end.toString("latin1"))?.[1];
  if (written !== hasher.digest("hex")) throw damaged();
}

export function damaged(): DomainError {
  return new DomainError(
    "refused",
    phrase`the copy is damaged: it is not as it was written, by its SHA-256; take another one`,
  );
}

/** The SHA-256 of all but the last bytes, those bytes, and the page size of its header; 0: no database. */
function readThrough(file: string, last: number) {
  const from = openSync(file, "r");
  try {
    const bytes = fstatSync(from).size;
    const until = Math.max(0, bytes - last);
    const hasher = new Bun.CryptoHasher("sha256");
    const piece = Buffer.alloc(PIECE);
    let pageSize = 0;
    for (let at = 0; at < until;) {
      const read = readSync(from, piece, 0, Math.min(PIECE, until - at), at);
      if (read === 0) throw damaged();
      if (at === 0) pageSize = readPageSize(piece.subarray(0, read));
      hasher.update(piece.subarray(0, read));
      at += read;
    }
    const end = Buffer.alloc(bytes - until);
    readSync(from, end, 0, end.length, until);
    return { sum: hasher.digest("hex"), end: end.toString("latin1"), pageSize, bytes };
  } finally {
    closeSync(from);
  }
}

function readPageSize(head: Buffer): number {
  if (head.length < PAGE_SIZE_AT + 2 || !head.subarray(0, MAGIC.length).equals(MAGIC)) return 0;
  const stated = head.readUInt16BE(PAGE_SIZE_AT);
  return stated === 1 ? 65_536 : stated;
}
