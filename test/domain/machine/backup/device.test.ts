import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOnSameDisk } from "../../../../src/domain/machine/backup/device.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "device-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a folder beside the data, one that is still to be made, and one behind a link are on its disk", () => {
  expect(isOnSameDisk(folder, folder)).toBe(true);
  expect(isOnSameDisk(join(folder, "not/yet"), folder)).toBe(true);
  symlinkSync(folder, join(folder, "link"));
  expect(isOnSameDisk(join(folder, "link"), folder)).toBe(true);
});

test("another file system is not", () => {
  expect(isOnSameDisk("/proc", folder)).toBe(false);
});
