import { expect, test } from "bun:test";
import { readRows } from "../../../../../src/domain/machine/moving/sources/read-rows.ts";
import { Room } from "../../../../../src/domain/machine/moving/sources/room.ts";
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
  const wanted = new Set(["radcheck", "radacct"]);
  const reading = { wanted, options: options(), counted: new Set(["radacct"]), room: new Room(limit) };
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
