import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager } from "../../package.json";
import { program } from "../support/appliance.ts";

const checkout = join(import.meta.dir, "../..");

/** The folders of the packages whose files the source maps of the executable name. */
function bundledPackages(): string[] {
  const maps = join(checkout, "dist/gatehouse.maps");
  const sources = readdirSync(maps).flatMap(
    (name): string[] => JSON.parse(readFileSync(join(maps, name), "utf8")).sources,
  );
  const folders = sources.flatMap(
    (source) =>
      /node_modules\/.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)|node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(
        source,
      )?.[0] ?? [],
  );
  return [...new Set([...folders, "node_modules/radius"])];
}

test("the executable says under which license each part of it is, and none is missing", async () => {
  const child = Bun.spawn([program, "version", "--licenses"], { stdout: "pipe" });
  const text = await child.stdout.text();
  expect(await child.exited).toBe(0);
  const packages = bundledPackages();
  expect(packages.length).toBeGreaterThan(30);
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const all = plain(text);
  for (const folder of packages) {
    const { name, version } = JSON.parse(readFileSync(join(checkout, folder, "package.json"), "utf8"));
    expect(text).toContain(`\n${name} ${version}, `);
    const file = ["LICENSE", "license", "LICENSE.md", "LICENSE.txt", "license.md"]
      .map((each) => join(checkout, folder, each))
      .find(existsSync);
    if (file === undefined) expect(name).toBe("drizzle-orm");
    else expect(all).toContain(plain(readFileSync(file, "utf8")));
  }
  expect(text).toContain(`\n${packageManager.replace("bun@", "Bun ")}, `);
  expect(text).toContain("JavaScriptCore (and WebKit), which is LGPL-2 licensed");
  expect(text).toBe(readFileSync(join(checkout, "dist/THIRD-PARTY-NOTICES"), "utf8"));
});
