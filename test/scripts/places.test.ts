import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

test("places of the executable's log are said as those of the source, what no map knows as it stands", async () => {
  const folder = mkdtempSync(join(tmpdir(), "places-"));
  const map = { version: 3, sources: ["src/cli/cli.ts"], names: [], mappings: ";UAkCW" }; // line 2, column 11: line 35, column 12
  writeFileSync(join(folder, "main-8yjdtzmc.js.map"), JSON.stringify(map));
  const script = join(import.meta.dir, "../../scripts/places.ts");
  const log = String.raw`{"stack":"at one (/$bunfs/root/main-8yjdtzmc.js:2:11)\n at two (/$bunfs/root/other.js:1:1)"}`;
  const child = Bun.spawn([process.execPath, script, folder], { stdin: new Blob([log]), stdout: "pipe" });
  expect(await child.stdout.text()).toBe(
    log.replace("/$bunfs/root/main-8yjdtzmc.js:2:11", "src/cli/cli.ts:35:12"),
  );
  rmSync(folder, { recursive: true });
});
