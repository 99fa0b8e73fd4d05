import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brackets } from "../../scripts/lab.d/chr/claim.ts";
import { claims } from "../../scripts/lab.d/chr/claims.ts";

/* scripts/lab chr: each claim about RouterOS has a row, and the same commands run at the stand-in. */

setDefaultTimeout(120_000);
const checkout = join(import.meta.dir, "../..");
const own = ["unshare", "--map-root-user", "--net"];
const canUnshare = Bun.spawnSync([...own, "true"]).success;

async function lab(words: readonly string[], within: readonly string[] = []) {
  const main = [process.execPath, join(checkout, "scripts/lab.d/main.ts"), "chr", ...words];
  const child = Bun.spawn([...within, ...main], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

test("what no manual says has one row each, which a router alone decides", () => {
  for (const text of Object.values(brackets))
    expect(claims.filter(({ what }) => what === text).map(({ by }) => by)).toEqual(["router"]);
});

test("the table of the last run has the rows of the lab, in their order", () => {
  const tried = readFileSync(join(checkout, "scripts/lab.d/README.md"), "utf8");
  const chapter = tried.split(/^## /m).find((one) => one.startsWith("Tried on a CHR\n")) ?? "";
  const [, , ...rows] = chapter.split("\n").filter((line) => line.startsWith("|"));
  expect(rows.map((row) => row.split(" | ")[0]?.slice(2).trim())).toEqual(claims.map(({ what }) => what));
});

test("without an image nothing is tried, and it says how to bring one", async () => {
  const { code, stdout, stderr } = await lab([]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toStartWith("lab: NOT TRIED HERE: no image of a CHR was named");
});

describe.skipIf(!canUnshare)("in a network of its own", () => {
  test("an image that is still packed is none", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-chr-"));
    const image = join(folder, "chr.img.zip");
    writeFileSync(image, "PK\x03\x04");
    const { code, stderr } = await lab([image], own);
    rmSync(folder, { recursive: true });
    expect(code).toBe(3);
    expect(stderr).toContain(`${image} is packed`);
  });

  test("the short form passes at the stand-in, which says what needs a CHR", async () => {
    const { code, stdout, stderr } = await lab(["--stand-in", "--short"], own);
    expect({ code, faults: stderr.split("\n").filter((line) => line.includes("FAULT")) }).toEqual({
      code: 0,
      faults: [],
    });
    const tried = claims.filter(({ isInShort }) => isInShort);
    const rows = stdout.split("\n").slice(2, -1);
    expect(rows.map((row) => row.split(" | ")[0]?.slice(2))).toEqual(tried.map(({ what }) => what));
    const needed = rows.filter((row) => row.includes("| needs a CHR |"));
    expect(needed).toHaveLength(tried.filter(({ by }) => by !== "api").length);
  });
});
