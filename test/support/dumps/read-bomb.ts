import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { SourceFile } from "../../../src/domain/machine/imports/source.ts";
import { rowsIn } from "./reading.ts";

/*
 * Reads blanks without an end, in members of 16 MB: a file that is small until it is unpacked. Says as JSON how it was refused, and by how
 * many bytes the memory of this process grew, which has nothing else to do.
 */
const blanks = Buffer.from(`--${"x".repeat(1024 ** 2 - 3)}\n`.repeat(16));
const member = process.argv[2] === "gzip" ? gzipSync(blanks, { level: 9 }) : Bun.zstdCompressSync(blanks);
const bomb: SourceFile = {
  name: "bomb.sql.gz",
  bytes: 0,
  open: () => new ReadableStream({ pull: (controller) => controller.enqueue(member) }, { highWaterMark: 0 }),
};
/** In bytes: of `VmRSS`, or its peak `VmHWM`, which begins anew with a program, as that of getrusage(2) does not. */
function memory(name: "VmRSS" | "VmHWM"): number {
  const [, kilobytes] =
    new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const before = memory("VmRSS");
const refused = await rowsIn(bomb, ["radcheck"]).then(
  () => "",
  (error: unknown) => String(error),
);
process.stdout.write(JSON.stringify({ refused, growth: memory("VmHWM") - before }));
