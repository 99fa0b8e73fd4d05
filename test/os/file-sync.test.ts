import { expect, test } from "bun:test";
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FileSync } from "../../src/os/file-sync.ts";
import { temporaryStore } from "../support/store.ts";

test("a file is synced beside, as often as it is begun, and waited for where that is asked", () => {
  using store = temporaryStore();
  const path = join(store.folder, "written");
  const file = openSync(path, "w");
  const sync = new FileSync(path);
  expect(sync.hasEnded()).toBe(false); // none was begun
  for (let round = 0; round < 20; round++) {
    writeSync(file, "more ".repeat(1000));
    sync.begin();
    while (!sync.hasEnded(100));
    sync.finish();
    expect(sync.hasEnded()).toBe(false);
  }
  sync.now();
  sync.begin();
  sync.close(); // waits for it
});

test("what the disk says is thrown with the system's code, each time", () => {
  const sync = new FileSync("/dev/null"); // which cannot be synced
  for (let round = 0; round < 2; round++) {
    sync.begin();
    expect(() => sync.finish()).toThrow(expect.objectContaining({ code: "EINVAL" }));
  }
  expect(() => sync.now()).toThrow(expect.objectContaining({ code: "EINVAL" }));
  sync.close();
});

test("a file that is not there cannot be synced", () => {
  expect(() => new FileSync("/nowhere/at-all")).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
