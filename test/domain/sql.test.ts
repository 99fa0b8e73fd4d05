import { Glob } from "bun";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const src = join(import.meta.dir, "../../src");
const statement = /\$client\s*\.(?:query|prepare|run|exec)\b|\bsql`/;
/** Where a connection itself is managed: what a transaction holds, and that nothing more is written. */
const ofConnections = ["cli/start-server.ts", "radius/server/access-handler.ts"];

test("statements stand in the domain and below it: what is above asks there", () => {
  const files = [...new Glob("**/*.{ts,tsx}").scanSync(src)].filter((file) => !file.startsWith("domain/"));
  expect(files.length).toBeGreaterThan(500);
  const asking = files.filter((file) => statement.test(readFileSync(join(src, file), "utf8")));
  expect(asking.toSorted()).toEqual(ofConnections);
});
