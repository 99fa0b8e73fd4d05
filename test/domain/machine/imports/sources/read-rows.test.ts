import { expect, test } from "bun:test";
import { readRows } from "../../../../../src/domain/machine/imports/sources/read-rows.ts";
import { ofShared, requirePeople, Room } from "../../../../../src/domain/machine/imports/sources/room.ts";
import { options } from "./rows.ts";

const fileOf = (text: string) => ({
  name: "old.sql",
  bytes: text.length,
  open: () => new Blob([text]).stream(),
});
const rows = (table: string, count: number, value = "x") =>
  `INSERT INTO \`${table}\` (a, b) VALUES ${Array.from({ length: count }, () => `('${value}','y')`).join(",")};\n`;

async function taken(text: string, limit: { rows: number; characters: number }): Promise<number> {
  let count = 0;
  const tables = new Set(["radcheck", "radacct"]);
  const reading = { tables, options: options(), uncounted: new Set(["radacct"]), room: new Room(limit) };
  await readRows([fileOf(text)], reading, () => count++);
  return count;
}

test("more rows or more text than an ISP has are refused before they are all in memory", async () => {
  const limit = { rows: 50, characters: 1000 };
  expect(await taken(rows("radcheck", 50), limit)).toBe(50);
  expect(taken(rows("radcheck", 51), limit)).rejects.toThrow("more than 50 rows");
  expect(taken(rows("radcheck", 40, "x".repeat(100)), limit)).rejects.toThrow("of text");
});

test("tables of which no row is kept may have any number", async () => {
  expect(await taken(rows("radacct", 5000), { rows: 50, characters: 1000 })).toBe(5000);
});

test("an ISP of 20,000 subscribers with ten entries each is read where they are in memory, and what subscribers share is less", () => {
  const take = (room: Room) => {
    for (let row = 0; row < 200_000; row++) room.take(100);
  };
  expect(() => take(new Room())).not.toThrow();
  expect(() => take(new Room(ofShared))).toThrow("more than 100,000 rows");
});

test("more subscribers than any ISP has that a box serves are refused", () => {
  expect(() => requirePeople(200_000)).not.toThrow();
  expect(() => requirePeople(200_001)).toThrow("more than 200,000 subscribers");
});
