import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { machineClock } from "../../src/os/machine.ts";

afterEach(() => {
  delete Bun.env["BOOT_ID"];
});

test("the beginning of the machine is that of the kernel, or what the service manager tells of it", () => {
  const kernel = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().replaceAll("-", "");
  expect(machineClock().boot).toBe(kernel);
  Bun.env["BOOT_ID"] = "0123";
  expect(machineClock().boot).toBe("0123");
});
