import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";

/*
 * Says where in the source the places are that a log of the executable names, /$bunfs/root/main-x7d4a814.js:3:12345. The same commit makes the
 * same bytes, so that source maps need not be carried: build it anew with them, then read the log by them.
 *
 *   git checkout COMMIT && scripts/build /tmp/built/gatehouse --sourcemap=linked
 *   scripts/bun scripts/places.ts /tmp/built/gatehouse.maps <LOG
 */

const [, , folder = ""] = process.argv;
const maps = new Map<string, SourceMap | undefined>();

function readMap(chunk: string): SourceMap | undefined {
  const file = join(folder, `${chunk}.map`);
  return maps.getOrInsertComputed(chunk, () =>
    existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : undefined,
  );
}

const log = await Bun.stdin.text();
process.stdout.write(
  log.replaceAll(/\/\$bunfs\/root\/([\w./-]+):(\d+):(\d+)/g, (place, chunk: string, line, column) => {
    const entry = readMap(chunk)?.findEntry(Number(line) - 1, Number(column) - 1);
    return entry && "originalSource" in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : place;
  }),
);
