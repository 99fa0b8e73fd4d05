import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import {
  auditEntries,
  cardBatches,
  cards,
  invoices,
  payments,
  ledgerEntries,
  sessions,
  usageDays,
} from "../../../../../db/schema.ts";
import { csvLines } from "../../../../../src/domain/machine/imports/data-set/csv.ts";
import { csvTables } from "../../../../../src/domain/machine/imports/data-set/export-tables.ts";

const root = join(import.meta.dir, "../../../../..");

describe("a cell of text", () => {
  test.each([
    ["sam", "sam"],
    ["=1+1", "'=1+1"],
    ["+15550101", "'+15550101"],
    ["-x", "'-x"],
    ["@sum(a1)", "'@sum(a1)"],
    ["\tx", "'\tx"],
    ['=cmd|"/c calc"', `"'=cmd|""/c calc"""`],
    ["a,b", '"a,b"'],
    ["a\nb", '"a\nb"'],
    ["a=b", "a=b"],
    ["Łódź", "Łódź"],
    ["", ""],
  ])("%j", (text, cell) => {
    expect(csvLines(["text"])([text])).toBe(`${cell}\r\n`);
  });
});

test("numbers, amounts, dates and nothing are never made text", () => {
  const line = csvLines(["number", "amount", "day", "number", "text"]);
  expect(line([-5, -420, 20_260_131, null, null])).toBe("-5,-4.20,2026-01-31,,\r\n");
});

test.each(["UTC", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "Africa/Monrovia"])(
  "times in %s are those of everything else",
  (TZ) => {
    const program = `
      const { csvLines } = await import("${root}/src/domain/machine/imports/data-set/csv.ts");
      const { formatTime } = await import("${root}/src/domain/core/time/time.ts");
      const line = csvLines(["time"]);
      for (let at = -5e6; at < 4e9; at += 1_234_567 + at % 911) {
        const [is, should] = [line([at]), formatTime(at) + "\\r\\n"];
        if (is !== should) throw new Error(at + ": " + is + " is not " + should);
      }
      for (let at = 1_800_000_000; at < 1_800_002_000; at++)
        if (line([at]) !== formatTime(at) + "\\r\\n") throw new Error(String(at));`;
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, "-e", program], {
      env: { ...process.env, TZ },
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  },
);

test("no column of what is written as CSV is forgotten", () => {
  /** What the appliance keeps for itself: how it knows a session again, by which box, counters, rates of this moment, fingerprints, how a sale is undone and what follows it, places in the order of changes. */
  const own = new Set([
    "local_address",
    "class",
    "counter_input",
    "counter_output",
    "rate_input",
    "rate_output",
    "moved_in",
    "via_box",
    "granted_terms",
    "granted_rate",
    "rate_refused",
    "service_before",
    "reference_key",
    "followed_at",
    "code_key",
    "code_sealed",
    "change",
  ]);
  const stored = [
    ledgerEntries,
    invoices,
    payments,
    sessions,
    usageDays,
    cardBatches,
    cards,
    auditEntries,
  ].map(getTableConfig);
  const missing = stored.flatMap(({ name, columns }) => {
    const written = csvTables.find(({ table }) => table === name)?.columns.map((column) => column.name);
    return columns.filter((column) => !own.has(column.name) && !written?.includes(column.name));
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(csvTables.map(({ table }) => table)).toEqual(stored.map(({ name }) => name));
});
