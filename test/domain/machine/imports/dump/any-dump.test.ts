import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { DumpValue } from "../../../../../src/domain/machine/imports/dump/row.ts";
import { MovingRefused } from "../../../../../src/domain/machine/imports/source.ts";
import { keptDump, rowsIn, sourceOf } from "../../../../support/dumps/reading.ts";
import type { Dialect } from "../../../../support/dumps/writer.ts";
import { written } from "../../../../support/dumps/writer.ts";
import { runs } from "../../../../support/runs.ts";

const dialects: readonly Dialect[] = [
  "mysql",
  "no-backslash",
  "ansi",
  "postgres",
  "postgres-e",
  "copy",
  "sqlite",
];

const awkward = fc.constantFrom(
  "'",
  '"',
  "\\",
  "\\'",
  "''",
  "\n",
  "\r\n",
  "\t",
  "\0",
  "\x1a",
  "%",
  "_",
  ";",
  "--",
  "/*",
  "*/",
  "`",
  "(",
  ")",
  ",",
  "NULL",
  "\\N",
  "\\.",
  "\n\\.\n",
  "$$",
  "é",
  "م",
  "🔑",
  "0x41",
  "');",
);
const text = fc.oneof(
  fc.array(awkward, { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme" }),
);
/** Bytes that are no text, so that they come back as what they are. */
const bytes = fc.uint8Array({ maxLength: 40 }).map((some) => Uint8Array.from([0, ...some]));

function valueOf(dialect: Dialect): fc.Arbitrary<DumpValue> {
  const noNul = text.map((some) => some.replaceAll("\0", ""));
  const isPostgres = dialect.startsWith("postgres") || dialect === "copy";
  if (isPostgres) return fc.oneof(noNul, fc.constant(null));
  return fc.oneof(text, bytes, fc.constant(null));
}

for (const dialect of dialects) {
  test(`what is written as ${dialect} comes back, in pieces of any size`, async () => {
    const names = fc.uniqueArray(
      fc.constantFrom("id", "a b", 'q"uote', "back`tick", "__proto__", "constructor", "naïve", "key"),
      { minLength: 1, maxLength: 5 },
    );
    const table = names.chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: fc.array(fc.array(valueOf(dialect), { minLength: columns.length, maxLength: columns.length }), {
          maxLength: 6,
        }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 300 }),
        async ({ columns, rows }, piece, room) => {
          const read = await rowsIn(sourceOf(written(dialect, columns, rows), "x", piece), ["wanted"], {
            room,
          });
          expect(read.map(({ values }) => columns.map((column) => values[column]))).toEqual(
            rows.map((row) => [...row]),
          );
          for (const { values } of read) expect(Object.keys(values).toSorted()).toEqual(columns.toSorted());
        },
      ),
      runs(40, 150),
    );
  });
}

/** Bytes cut out, put in, doubled or turned over. */
const change = fc.record({
  at: fc.nat(1_000_000),
  length: fc.integer({ min: 0, max: 60 }),
  instead: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    awkward.map((some) => new TextEncoder().encode(some)),
  ),
});

function changed(
  original: Uint8Array,
  { at, length, instead }: { at: number; length: number; instead: Uint8Array },
): Uint8Array {
  const from = at % (original.length + 1);
  return Buffer.concat([
    original.subarray(0, from),
    instead,
    original.subarray(Math.min(original.length, from + length)),
  ]);
}

const kept = [
  "freeradius.mariadb.sql",
  "freeradius.mariadb-raw-blobs.sql",
  "freeradius.mariadb-ansi.sql",
  "freeradius.mariadb.sql.gz",
  "freeradius.pg-copy.sql",
  "freeradius.pg-inserts.sql",
  "latin1.mariadb.sql",
];
const tables = ["radcheck", "radacct", "nas", "photos", "constructor"];

for (const file of kept) {
  test(`${file}, changed anywhere: rows, a refusal in words, or nothing`, async () => {
    const original = await Bun.readableStreamToBytes(keptDump(file).open());
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 16, max: 5000 }),
        async (changes, room) => {
          let bytes: Uint8Array = original;
          for (const each of changes) bytes = changed(bytes, each);
          try {
            for (const { values } of await rowsIn(sourceOf(bytes, file, 700), tables, { room })) {
              expect(Object.getPrototypeOf(values)).toBeNull();
            }
          } catch (error) {
            if (!(error instanceof MovingRefused)) throw error;
            expect(error.message).toMatch(/^freeradius|^latin1/);
          }
        },
      ),
      runs(30, 120),
    );
  });
}

test("a dump that ends anywhere within a row or a statement is refused", async () => {
  for (const file of ["freeradius.mariadb.sql", "freeradius.pg-copy.sql", "freeradius.pg-inserts.sql"]) {
    const original = Buffer.from(await Bun.readableStreamToBytes(keptDump(file).open()));
    const begin = original.indexOf("ahmad.saleh");
    for (let cut = begin; cut < begin + 300; cut++) {
      const reading = rowsIn(sourceOf(original.subarray(0, cut), file), tables);
      await expect(reading).rejects.toThrow(
        /line \d+: the dump ends in the middle of table \w+: it was cut off/,
      );
    }
  }
});
