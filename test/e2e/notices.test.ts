import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager } from "../../package.json";
import { program } from "../support/appliance.ts";

const checkout = join(import.meta.dir, "../..");

/** The folders of the packages that have bytes in what is bundled, as the bundler says it. */
async function bundledPackages(): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: [join(checkout, "src/main.ts"), ...new Bun.Glob("src/**/*-worker.ts").scanSync(checkout)],
    root: join(checkout, "src"),
    target: "bun",
    splitting: true,
    external: ["source-map-support"],
    metafile: true,
  });
  const sources = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs));
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
  const packages = await bundledPackages();
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
