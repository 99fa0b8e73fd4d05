import { expect, test } from "bun:test";
import type { DumpRow } from "../../../../../src/domain/machine/imports/dump/row.ts";
import { MovingRefused } from "../../../../../src/domain/machine/imports/source.ts";
import { Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import { keptDump, rowsIn, sourceOf } from "../../../../support/dumps/reading.ts";
import type { Cell, SourceTable } from "../../../../support/dumps/rows/table.ts";
import { hasServers } from "../../../../support/dumps/servers.ts";
import { databases, makeDumps, variants } from "../../../../support/dumps/variants.ts";

const readable = variants.filter(({ file }) => file.endsWith(".sql") || file.endsWith(".gz"));

/** What a database gives of what was put in. */
function asRead(options: Cell, column: string, by: "mariadb" | "postgres"): string | Uint8Array | null {
  if (options === null || typeof options === "number") return options === null ? null : String(options);
  if (typeof options === "string") {
    const isTime = by === "postgres" && /time$|date$/.test(column) && /^\d{4}-\d\d-\d\d \d/.test(options);
    return isTime ? `${options.replace(/\.?0+$/, (end) => (end.startsWith(".") ? "" : end))}+03` : options;
  }

  return options.length === 0 ? "" : options;
}

/** The columns of a read row that were given, of each table in order. */
function compared(
  tables: readonly SourceTable[],
  rows: readonly DumpRow[],
  by: "mariadb" | "postgres",
): void {
  for (const { name, rows: options } of tables) {
    const read = rows.filter(({ table }) => table === name);
    expect(read.length, name).toBe(options.length);
    for (const [i, row] of options.entries()) {
      for (const [column, value] of Object.entries(row)) {
        expect([name, i, column, read[i]?.values[column]]).toEqual([
          name,
          i,
          column,
          asRead(value, column, by),
        ]);
      }
    }
  }
}

/** Tables that a variant leaves out. */
function kept(tables: readonly SourceTable[], options: readonly string[]): readonly SourceTable[] {
  return tables.filter(({ name }) => !options.some((option) => option.endsWith(`.${name}`)));
}

for (const { file, database, by, options } of readable) {
  test(`${file}, made by a real server: every value comes back`, async () => {
    const tables = kept(databases[database], options);
    const notices = new Notices();
    const names = tables.map(({ name }) => name);
    const rows = await rowsIn(keptDump(file), names, { notices });
    compared(tables, rows, by);
    expect(notices.rows).toEqual([]);
    // the same in pieces of any size, and when nothing is wanted
    for (const room of [16, 61, 4096]) expect(await rowsIn(keptDump(file), names, { room })).toEqual(rows);
    expect(await rowsIn(keptDump(file), [], { room: 16 })).toEqual([]);
  });
}

test("a dump in pg_dump's own format is refused, with what to do", async () => {
  const reading = rowsIn(keptDump("freeradius.pg-custom.dump"), ["nas"]);
  await expect(reading).rejects.toThrow(/pg_dump's own format: make it again as SQL \(pg_dump -Fp\)/);
  await expect(reading).rejects.toBeInstanceOf(MovingRefused);
});

test.skipIf(!hasServers())(
  "MariaDB and PostgreSQL make the same dumps again (skipped where they are not installed: scripts/lab dumps installs them)",
  async () => {
    const read: string[] = [];
    await makeDumps(async (file, bytes) => {
      const variant = readable.find((each) => each.file === file);
      if (variant === undefined) return;
      const tables = kept(databases[variant.database], variant.options);
      const names = tables.map(({ name }) => name);
      compared(tables, await rowsIn(sourceOf(bytes, file), names), variant.by);
      read.push(file);
    });
    expect(read).toEqual(readable.map(({ file }) => file));
  },
);
