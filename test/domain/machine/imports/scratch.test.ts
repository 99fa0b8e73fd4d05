import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ByName, OfUsers, Scratch } from "../../../../src/domain/machine/imports/scratch.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-scratch-"));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

const openFiles = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });

test("it lies in the data folder under no name, so that nothing of it is left however the program ends", () => {
  using scratch = new Scratch(folder);
  const list = scratch.list<{ text: string }>();
  for (let n = 0; n < 50_000; n++) list.push({ text: `${n} ${"x".repeat(500)}` }); // far more than its memory
  expect(readdirSync(folder)).toEqual([]);
  expect(openFiles().filter((file) => file.startsWith(folder))).toHaveLength(1);
  expect(list).toHaveLength(50_000);
  let expected = 0;
  for (const { text } of list) expect(text.startsWith(`${expected++} `)).toBe(true);
  expect(expected).toBe(50_000);
});

test("its file goes with it", () => {
  const scratch = new Scratch(folder);
  scratch.list().push(1);
  scratch[Symbol.dispose]();
  expect(openFiles().some((file) => file.startsWith(folder))).toBe(false);
});

test("a disk without room for it is said in words", () => {
  using scratch = new Scratch(folder, { most: 200_000 });
  const list = scratch.list<string>();
  expect(() => {
    for (;;) list.push("x".repeat(1000));
  }).toThrow("takes more room than the disk has");
});

test("others may be written while all are gone through", () => {
  using scratch = new Scratch();
  const [list, doubled] = [scratch.list<number>(), scratch.list<number>()];
  for (let n = 0; n < 1000; n++) list.push(n);
  for (const n of list) doubled.push(n * 2);
  expect([...doubled]).toEqual(Array.from({ length: 1000 }, (_, n) => n * 2));
  expect(JSON.stringify({ list })).toBe(JSON.stringify({ list: [...list] }));
});

test("names are found as they are written, else as MySQL would", () => {
  using scratch = new Scratch();
  const names = new ByName<string>(scratch);
  expect(names.find("sam")).toBeUndefined();
  for (const name of ["Sam", "sam ", "lee"]) names.set(name, `first ${name}`);
  names.set("lee", "second");
  expect(names.size).toBe(3);
  expect(["sam ", "SAM", "LEE", "lea"].map((name) => names.find(name))).toEqual([
    "first sam ",
    "first Sam",
    "second",
    undefined,
  ]);
  expect([...names.alike("sam")].map(([name]) => name)).toEqual(["Sam", "sam "]);
});

test("rows of users come by user, in the order in which users are first", () => {
  using scratch = new Scratch();
  const rows = new OfUsers<string>(scratch);
  for (const [user, text] of ["b1", "a1", "b2", "c1", "a2"].entries())
    rows.add(text[0] ?? "", `${user} ${text}`);
  rows.end();
  expect(rows.of("a")).toEqual(["1 a1", "4 a2"]);
  expect([...rows]).toEqual(["0 b1", "2 b2", "1 a1", "4 a2", "3 c1"]);
});
