import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readDump } from "../../../src/domain/machine/imports/dump/read-dump.ts";
import type { SourceFile } from "../../../src/domain/machine/imports/source.ts";

/** What of a large dump came back, and what that took. */
export interface LargeRead {
  readonly rows: number;
  readonly expected: number;
  readonly megabytes: number;
  /** Of the processor. */
  readonly seconds: number;
  /** Of the peak of resident memory, in megabytes, since a small dump was read. */
  readonly growth: number;
}

export const shapes = {
  "one INSERT on one line": { isCopy: false, isWanted: true, isGzip: false },
  "the same, of a table that nobody wants": { isCopy: false, isWanted: false, isGzip: false },
  "the same, compressed by gzip": { isCopy: false, isWanted: true, isGzip: true },
  COPY: { isCopy: true, isWanted: true, isGzip: false },
} as const;
type Shape = (typeof shapes)[keyof typeof shapes];

const BLOCK = 20_000;

function block(isCopy: boolean): Buffer {
  const rows = Array.from({ length: BLOCK }, (_, i) => {
    const row = [
      String(i),
      `user${i}`,
      "Cleartext-Password",
      ":=",
      `p'a${i}`,
      `أحمد ${i}`,
      null,
      "2026-11-22 10:00:00",
    ];
    if (isCopy) return `${row.map((value) => value ?? "\\N").join("\t")}\n`;
    return `(${row.map((value) => (value === null ? "NULL" : `'${value.replaceAll("'", "\\'")}'`)).join(",")}),`;
  });
  return Buffer.from(rows.join(""));
}

function dumpOf(
  { isCopy, isGzip }: Shape,
  megabytes: number,
): { file: SourceFile; rows: number; bytes: number } {
  const table =
    "CREATE TABLE `radcheck` (`id` int, `a` text, `b` text, `c` text, `d` text, `e` text, `f` text, `g` text);\n";
  const begin = isCopy
    ? "COPY public.radcheck (id, a, b, c, d, e, f, g) FROM stdin;\n"
    : `${table}INSERT INTO \`radcheck\` VALUES `;
  const end = isCopy ? "\\.\n" : "(0,'','','','','',NULL,'');\n";
  const plain = block(isCopy);
  const count = Math.max(1, Math.round((megabytes * 1e6) / plain.length));
  const [first, each, last] = [Buffer.from(begin), plain, Buffer.from(end)].map((part) =>
    isGzip ? gzipSync(part) : part,
  );
  const open = (): ReadableStream<Uint8Array> => {
    let sent = -1;
    return new ReadableStream(
      {
        pull: (controller) => {
          if (sent === -1) controller.enqueue(first);
          else if (sent < count) controller.enqueue(each);
          else {
            controller.enqueue(last);
            controller.close();
          }
          sent++;
        },
      },
      { highWaterMark: 0 },
    );
  };
  return {
    file: { name: "large.sql", bytes: 0, open },
    rows: count * BLOCK + (isCopy ? 0 : 1),
    bytes: count * plain.length,
  };
}

function peak(): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1000;
}

async function read(shape: Shape, megabytes: number): Promise<LargeRead> {
  const { file, rows, bytes } = dumpOf(shape, megabytes);
  const tables = new Set([shape.isWanted ? "radcheck" : "nothing"]);
  const before = peak();
  const began = process.cpuUsage();
  let count = 0;
  for await (const row of readDump(file, tables)) if (row.table === "radcheck") count++;
  const { user, system } = process.cpuUsage(began);
  const expected = shape.isWanted ? rows : 0;
  return {
    rows: count,
    expected,
    megabytes: bytes / 1e6,
    seconds: (user + system) / 1e6,
    growth: peak() - before,
  };
}

if (import.meta.main) {
  const [name = "", megabytes = ""] = process.argv.slice(2);
  const shape = shapes[name as keyof typeof shapes];
  // what a first read takes for good is of the program
  await read(shape, 20);
  process.stdout.write(JSON.stringify(await read(shape, Number(megabytes))));
}
