import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";

const systemd = join(import.meta.dir, "../../systemd");
const unitFile = join(systemd, "gatehouse.service");
const unit = readFileSync(unitFile, "utf8");
const environmentFile = readFileSync(join(systemd, "gatehouse.env"), "utf8");

async function analyze(...args: string[]): Promise<{ code: number; output: string }> {
  if (!Bun.which("systemd-analyze"))
    throw new Error("systemd-analyze is missing; install Debian's package systemd");
  const child = Bun.spawn(["systemd-analyze", ...args], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, output: stdout + stderr };
}

test("systemd finds nothing wrong with the unit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-unit-"));
  try {
    // the executable is not installed here
    const copy = join(folder, "gatehouse.service");
    writeFileSync(copy, unit.replace("/usr/local/lib/gatehouse/gatehouse", "/bin/true"));
    const { code, output } = await analyze("verify", "--man=no", copy);
    expect({ code, about: output.split("\n").filter((line) => line.includes("gatehouse")) }).toEqual({
      code: 0,
      about: [],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("its exposure is at most 2.0", async () => {
  const { code, output } = await analyze("security", "--offline=yes", "--threshold=20", unitFile);
  expect({ code, level: /exposure level .*/.exec(output)?.[0] }).toMatchObject({ code: 0 });
});

test("no core file keeps what is in the memory", () => {
  expect(unit).toMatch(/^LimitCORE=0$/m);
});

test("every option that costs exposure is explained in the unit", async () => {
  const { output } = await analyze("security", "--offline=yes", unitFile);
  const missing = [...output.matchAll(/^✗ (\S+?)=/gm)].map(([, name = ""]) => name);
  // /dev/rtc comes with ProtectClock
  expect(missing.filter((name) => !unit.includes(name))).toEqual(["DeviceAllow"]);
  expect(missing.length).toBeLessThan(10);
});

test("the environment file explains every variable, with its default", () => {
  let known = "";
  try {
    readConfig({ GATEHOUSE_NONE: "x" });
  } catch (error) {
    known = String(error);
  }
  const variables = [...known.matchAll(/\b(?:GATEHOUSE_|API_)[A-Z_]+|\bTZ\b/g)].map(([name]) => name);
  const explained = [...environmentFile.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(explained.toSorted()).toEqual(
    [...new Set(variables)].filter((name) => name !== "GATEHOUSE_NONE").toSorted(),
  );
});

test("the environment file as it is installed, and with every line switched on, is a configuration", () => {
  const lines = (pattern: RegExp) =>
    Object.fromEntries(
      [...environmentFile.matchAll(pattern)].map(([, name = "", value = ""]) => [name, value]),
    );
  expect(readConfig(lines(/^([A-Z_]+)=(.*)$/gm)).dataDir).toBe("/var/lib/gatehouse");
  expect(readConfig(lines(/^#?([A-Z_]+)=(.*)$/gm))).toMatchObject({
    tls: { lan: false },
    hstsDays: 0,
  });
});
