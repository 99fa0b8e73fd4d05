import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MovingRefused } from "../source.ts";
import type { SourceFile } from "../source.ts";
import { ENOUGH, guessFormat, refusal } from "./formats.ts";

type Bytes = AsyncGenerator<Uint8Array, void, void>;

const GIGABYTE = 1024 ** 3;
const MOST_GIGABYTES = 64;
const MOST_RATIO = 1000;
/** Input of one step: four bytes of Zstandard may give 128 kB. */
const PIECE = 1024;
const CHUNK = 256 * 1024;

export async function* plainBytes(file: SourceFile, progress: ((bytes: number) => void) | undefined): Bytes {
  const read = { bytes: 0 };
  yield* plain(counted(file, read, progress), read, false);
}

/** Nested compression is checked alike. */
async function* plain(stored: Bytes, read: { readonly bytes: number }, isInside: boolean): Bytes {
  const { first, all } = await begun(stored);
  const format = guessFormat(first);
  if (format === "text") yield* all;
  else if (format === "utf-16le" || format === "utf-16be") yield* transcoded(all, format);
  else if (isInside || (format !== "gzip" && format !== "zstd")) throw new MovingRefused(refusal(format));
  else yield* plain(bounded(format === "gzip" ? gunzipped(all) : unzstd(all), read), read, true);
}

async function* counted(
  file: SourceFile,
  read: { bytes: number },
  progress: ((bytes: number) => void) | undefined,
): Bytes {
  for await (const chunk of file.open()) {
    read.bytes += chunk.length;
    progress?.(read.bytes);
    yield chunk;
  }
}

/** The bytes that identify it, and the whole. */
async function begun(stored: Bytes): Promise<{ first: Uint8Array; all: Bytes }> {
  let first: Uint8Array = new Uint8Array(0);
  while (first.length < ENOUGH) {
    const { done, value } = await stored.next();
    if (done === true) break;
    first = first.length === 0 ? value : Buffer.concat([first, value]);
  }
  const all = async function* (): Bytes {
    try {
      const hasMark = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
      if (first.length > 0) yield hasMark ? first.subarray(3) : first;
      yield* stored;
    } finally {
      await stored.return();
    }
  };
  return { first, all: all() };
}

/** All members. */
async function* gunzipped(stored: Bytes): Bytes {
  const source = Readable.from(stored, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: CHUNK });
  source.on("error", (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw damaged(error, "gzip");
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

async function* unzstd(stored: Bytes): Bytes {
  const stream = new DecompressionStream("zstd");
  const writer = stream.writable.getWriter();
  const written = (async () => {
    for await (const chunk of stored) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        await writer.ready;
        await writer.write(Uint8Array.from(chunk.subarray(at, at + PIECE)));
      }
    }
    await writer.close();
  })();
  // its errors surface where it is read
  written.catch((error: unknown) => writer.abort(error));
  try {
    yield* stream.readable;
    await written;
  } catch (error) {
    throw damaged(error, "Zstandard");
  } finally {
    await stored.return();
  }
}

/** Translates decompressor errors; others pass. */
function damaged(error: unknown, by: string): unknown {
  if (error instanceof MovingRefused || !(error instanceof Error)) return error;
  if (/unexpected end/i.test(error.message)) {
    return new MovingRefused(`it is cut off: what ${by} compressed has no end; copy it or make it again`, {
      cause: error,
    });
  }
  const code = "code" in error ? String(error.code) : "";
  if (!code.startsWith("Z_") && error.name !== "TypeError") return error;
  return new MovingRefused(`it is damaged: what ${by} compressed cannot be read; copy it or make it again`, {
    cause: error,
  });
}

async function* bounded(expanded: Bytes, read: { readonly bytes: number }): Bytes {
  let bytes = 0;
  for await (const chunk of expanded) {
    bytes += chunk.length;
    if (bytes > MOST_GIGABYTES * GIGABYTE) {
      throw new MovingRefused(
        `it is larger than ${MOST_GIGABYTES} GB when it is unpacked, which is not read`,
      );
    }
    if (bytes > GIGABYTE && bytes > read.bytes * MOST_RATIO) {
      throw new MovingRefused(
        `it becomes more than ${MOST_RATIO} times as large when it is unpacked, which no dump does`,
      );
    }
    yield chunk;
  }
}

/** Output of PowerShell's `>`. */
async function* transcoded(stored: Bytes, encoding: "utf-16le" | "utf-16be"): Bytes {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of stored) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
