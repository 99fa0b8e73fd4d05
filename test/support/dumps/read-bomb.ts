import { gzipSync } from "node:zlib";
import type { SourceFile } from "../../../src/domain/moving/source.ts";
import { rowsIn } from "./reading.ts";

/*
 * Reads blanks without an end, in members of 16 MB: a file that is small until it is unpacked. Says as JSON how it was refused, and by how
 * many bytes the memory of this process grew, which has nothing else to do.
 */
const blanks = Buffer.alloc(16 * 1024 ** 2, " ");
const member = process.argv[2] === "gzip" ? gzipSync(blanks, { level: 9 }) : Bun.zstdCompressSync(blanks);
const bomb: SourceFile = {
  name: "bomb.sql.gz",
  bytes: 0,
  open: () => new ReadableStream({ pull: (controller) => controller.enqueue(member) }, { highWaterMark: 0 }),
};
const before = process.memoryUsage.rss();
const refused = await rowsIn(bomb, ["radcheck"]).then(
  () => "",
  (error: unknown) => String(error),
);
process.stdout.write(JSON.stringify({ refused, growth: process.resourceUsage().maxRSS * 1024 - before }));
