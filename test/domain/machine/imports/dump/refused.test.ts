import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "bun:test";

import { readDump } from "../../../../../src/domain/machine/imports/dump/read-dump.ts";
import type { DumpValue } from "../../../../../src/domain/machine/imports/dump/row.ts";
import { MovingRefused } from "../../../../../src/domain/machine/imports/source.ts";
import type { SourceFile } from "../../../../../src/domain/machine/imports/source.ts";
import { Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import { rowsIn, sourceOf } from "../../../../support/dumps/reading.ts";

const table = "CREATE TABLE `radcheck` (`id` int, `value` text);\n";
const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const deep = `unhex(${"unhex(".repeat(20)}'41'${")".repeat(20)})`;

/** What is given, and what is said of it. */
const refused: Readonly<Record<string, readonly [content: string | Uint8Array, says: RegExp]>> = {
  "nothing at all": ["", /^dump.sql, line 1: it is empty: make the dump again/],
  "blanks alone": [" \n\n  \n", /there is no SQL in it/],
  "an error page": [
    "<!DOCTYPE html><html><body>404; not found</body></html>",
    /line 1: it is a page of the web or XML/,
  ],
  "mysqldump --xml": ['<?xml version="1.0"?>\n<mysqldump>', /XML, not SQL/],
  "a spreadsheet": [
    "username,password\nahmad,secret\n",
    /"username" begins no statement of SQL: it takes a dump made by mysqldump/,
  ],
  JSON: ['[{"type":"header"}]', /begins no statement of SQL/],
  "bytes of a program": [
    Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 3, 4]),
    /begins no statement of SQL|no text/,
  ],
  "NUL bytes": [new Uint8Array(3000), /line 1: there are bytes in it that are no text/],
  bzip2: ["BZh91AY&SY", /compressed by bzip2: unpack it first \(bunzip2 FILE\)/],
  xz: [latin1("\xfd7zXZ\x00\x00\x04"), /compressed by xz/],
  ZIP: ["PK\x03\x04\x14\x00", /it is a ZIP archive/],
  "7z": [latin1("7z\xbc\xaf\x27\x1c"), /it is a 7z archive/],
  "SQLite itself": [
    "SQLite format 3\x00",
    /a database of SQLite itself: make a dump of it \(sqlite3 FILE \.dump/,
  ],
  tar: [`${"toc.dat".padEnd(257, "\0")}ustar\x0000`, /tar archive.*pg_dump -Fp/],
  "gzip twice": [gzipSync(gzipSync(table)), /compressed twice/],
  "gzip of another format": [gzipSync("PGDMP\x01\x0e"), /pg_dump -Fp/],
  "gzip that is cut off": [
    gzipSync(table.repeat(1000)).subarray(0, 60),
    /it is cut off: what gzip compressed has no end/,
  ],
  "gzip with noise in it": [
    Buffer.concat([gzipSync(table), Buffer.from("noise")]),
    /it is damaged: what gzip compressed cannot be read/,
  ],
  "zstd that is cut off": [
    Bun.zstdCompressSync(table.repeat(1000)).subarray(0, -4),
    /what Zstandard compressed has no end/,
  ],
  "a row without an end": [
    `${table}INSERT INTO radcheck VALUES (1,'${"x".repeat(17 * 2 ** 20)}`,
    /a row or a statement is longer than 16 MB, which none of subscribers is/,
  ],
  "COPY without its end": [
    "COPY radcheck (id, value) FROM stdin;\n1\ta\n2\tb\n",
    /line 4: the dump ends in the middle of table radcheck: it was cut off; make it again/,
  ],
  "an INSERT without its end": [
    `${table}INSERT INTO radcheck VALUES (1,'a'),(2,'b`,
    /line 2: the dump ends in the middle of table radcheck/,
  ],
  "an INSERT of others without its end": [
    `${table}INSERT INTO others VALUES (1,'a'),(2,'b');\nINSERT INTO others VALUES (3,'`,
    /line 3: the dump ends in the middle of table others/,
  ],
  "a function without its end": [
    "SET client_encoding = 'UTF8';\nCREATE FUNCTION f() AS $$ BEGIN; $",
    /line 2: the dump ends in the middle of a statement/,
  ],
  "DELIMITER without its end": [
    "DELIMITER ;;\nCREATE TRIGGER a;\n",
    /line 2: the dump ends in the middle of a block with a DELIMITER/,
  ],
  "a table that it does not describe": [
    "INSERT INTO radcheck VALUES (1,'a');",
    /does not say which columns table radcheck has: make it again with its CREATE TABLE, or with --complete-insert/,
  ],
  "rows that are too short": [
    `${table}INSERT INTO radcheck VALUES (1);`,
    /a row of table radcheck has 1 values, of 2 columns/,
  ],
  "rows that are too long": [`${table}INSERT INTO radcheck VALUES (1,2,3);`, /more than the 2 columns/],
  "an expression": [
    `${table}INSERT INTO radcheck VALUES (1,concat('a','b'));`,
    /concat\(\) stands where a value should/,
  ],
  "a word": [`${table}INSERT INTO radcheck VALUES (1,username);`, /a word where a value should stand/],
  "functions in functions": [
    `${table}INSERT INTO radcheck VALUES (1,${deep});`,
    /functions within functions/,
  ],
  "a value that a function makes longer": [
    `${table}INSERT INTO radcheck VALUES (1,replace('aaa','a','bb'));`,
    /replace\(\) makes a value longer/,
  ],
  "half a byte": [`${table}INSERT INTO radcheck VALUES (1,0x123);`, /a blob in hex has half a byte/],
  "a column too many": [
    `INSERT INTO radcheck (${Array.from({ length: 5000 }, (_, i) => `c${i}`).join()}) VALUES (1);`,
    /more than 4096 columns/,
  ],
  "the same table in two databases": [
    `USE one;\n${table}USE two;\n${table}`,
    /table radcheck stands in it twice, in one and in two: make a dump of the one that you want/,
  ],
  "what mysqldump said of its failure": [
    "mysqldump: Got error: 1045: Access denied for user 'root'\n",
    /the program that made it failed: mysqldump: Got error: 1045/,
  ],
  "a set of characters with backslashes in letters": [
    Buffer.concat([
      Buffer.from(`SET NAMES gbk;\n${table}INSERT INTO radcheck VALUES (1,'`),
      Uint8Array.from([0xc4, 0xe3]),
      Buffer.from("');"),
    ]),
    /the character set gbk, which cannot be read here: make the dump again with --default-character-set=utf8mb4/,
  ],
};

for (const [name, [content, expected]] of Object.entries(refused)) {
  test(`refused in words: ${name}`, async () => {
    const reading = rowsIn(sourceOf(content), ["radcheck"]);
    await expect(reading).rejects.toBeInstanceOf(MovingRefused);
    await expect(reading).rejects.toThrow(expected);
  });
}

const byItself = `SET NAMES latin1;\n${table}INSERT INTO radcheck VALUES (1,'é');`;

/** What is given, and the values that come of it. */
const taken: Readonly<
  Record<
    string,
    readonly [content: string | Uint8Array, values: readonly DumpValue[], notes?: readonly RegExp[]]
  >
> = {
  "PowerShell's UTF-16": [utf16(`${table}INSERT INTO radcheck VALUES (1,'أحمد');`), ["أحمد"]],
  "zstd, of two frames": [
    Buffer.concat([
      Bun.zstdCompressSync(table),
      Bun.zstdCompressSync("INSERT INTO radcheck VALUES (1,'a');"),
    ]),
    ["a"],
  ],
  "a mark of byte order": [`\ufeff${table}INSERT INTO radcheck VALUES (1,'a');`, ["a"]],
  "line ends of Windows": [
    `-- pg\r\nCOPY radcheck (id, value) FROM stdin;\r\n1\ta\r\n2\tb\r\n\\.\r\n`,
    ["a", "b"],
  ],
  "Latin-1 that the dump names": [latin1(byItself), ["é"]],
  "UTF-8 that the dump calls Latin-1": [
    byItself,
    ["é"],
    [/^values that are in UTF-8 though the dump says latin1, and were read as that: 1$/],
  ],
  "Windows-1252 that nobody names": [
    latin1(`${table}INSERT INTO radcheck VALUES (1,'\x80 é');`),
    ["€ é"],
    [/^values that are not in UTF-8, and were read as Windows-1252: 1$/],
  ],
  "a dump without its last line": [
    `-- MySQL dump 10.13\n${table}INSERT INTO radcheck VALUES (1,'a');`,
    ["a"],
    [/^the last line, .*, is missing: the dump may be cut off/],
  ],
  "a dump without comments": [`${table}INSERT INTO radcheck VALUES (1,'a');`, ["a"]],
  "a warning before it": [
    `mysqldump: [Warning] Using a password on the command line interface can be insecure.\n${table}INSERT INTO radcheck VALUES (1,'a');`,
    ["a"],
  ],
  phpMyAdmin: [
    `-- phpMyAdmin SQL Dump\n-- version 5.2.1\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\nSTART TRANSACTION;\n/*!40101 SET NAMES utf8mb4 */;\n${table}INSERT INTO \`radcheck\` (\`id\`, \`value\`) VALUES\n(1, 'a\\'b'),\n(2, 0x6162),\n(3, ST_GeomFromText('POINT(1 2)'));\nCOMMIT;\n`,
    ["a'b", "ab", "st_geomfromtext('POINT(1 2)')"],
  ],
  Adminer: [
    `-- Adminer 4.8.1 MySQL 8.0 dump\nSET NAMES utf8;\nSET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';\nDROP TABLE IF EXISTS \`radcheck\`;\n${table}INSERT INTO \`radcheck\` (\`id\`, \`value\`) VALUES\n(1,\t'a'),\n(2,\tunhex('6263'))\nON DUPLICATE KEY UPDATE \`id\` = VALUES(\`id\`), \`value\` = VALUES(\`value\`);\n-- 2026-11-22 10:00:00`,
    ["a", "bc"],
  ],
  "introducers, bits and words": [
    `${table}INSERT INTO radcheck VALUES (1,_binary 'a\\0'),(2,_utf8mb4'é'),(3,b'101'),(4,TRUE),(5,-1.5e-10),(6,N'n'),(7,'50\\% \\_'),(8,"double ""quoted"" \\"text\\"");`,
    [Uint8Array.from([0x61, 0]), "é", "5", "1", "-1.5e-10", "n", "50\\% \\_", 'double "quoted" "text"'],
  ],
  "casts and E'': PostgreSQL": [
    `SET statement_timeout = 0;\nINSERT INTO public.radcheck (id, value) VALUES (1, 'a\\'::character varying(20)), (2, E'\\'\\x41\\101\\u00e9\\n'), (3, '{1,2}'::integer[]), (4, true) ON CONFLICT DO NOTHING;`,
    ["a\\", "'AAé\n", "{1,2}", "t"],
  ],
  "PostgreSQL before it had standard strings": [
    `SET standard_conforming_strings = off;\nINSERT INTO radcheck (id, value) VALUES (1, 'a\\'b\\n');`,
    ["a'b\n"],
  ],
  "a trigger without DELIMITER": [
    `${table}CREATE TRIGGER t AFTER INSERT ON a BEGIN\n IF 1 THEN INSERT INTO radcheck VALUES (NEW.id, 'no'); END IF;\n UPDATE b SET c = CASE WHEN 1 THEN 2 END;\nEND;\nINSERT INTO radcheck VALUES (1,'yes');`,
    ["yes"],
  ],
  SQLite: [
    `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE \`radcheck\` (id INTEGER PRIMARY KEY, "value" TEXT);\nINSERT INTO radcheck VALUES(1,'it''s \\ one');\nINSERT INTO radcheck VALUES(2,replace(replace('a\\r\\nb','\\r',char(13)),'\\n',char(10)));\nINSERT INTO radcheck VALUES(3,X'6162');\nCOMMIT;\n`,
    ["it's \\ one", "a\r\nb", "ab"],
  ],
  "a file of DOS with its mark of the end": [`${table}INSERT INTO radcheck VALUES (1,'a');\r\n\x1a`, ["a"]],
  "what does not insert values": [
    `${table}INSERT INTO radcheck SELECT 1, 'no';\nINSERT INTO radcheck (id, value) VALUES (1,'yes');`,
    ["yes"],
  ],
};

for (const [name, [content, values, notes = []]] of Object.entries(taken)) {
  test(`read: ${name}`, async () => {
    for (const room of [16, 4096]) {
      const notices = new Notices();
      const rows = await rowsIn(sourceOf(content, "dump.sql", 5), ["radcheck"], { notices, room });
      expect(rows.map(({ values: { value } }) => value)).toEqual([...values]);
      expect(notices.rows.length).toBe(notes.length);
      for (const [i, note] of notes.entries()) expect(notices.rows[i]?.text).toMatch(note);
    }
  });
}

test("a row is told by the line that it stands in, and bytes are counted as they are stored", async () => {
  const sql = `${table}INSERT INTO radcheck VALUES\n(1,'a\nb'),\n(2,'c');`;
  expect((await rowsIn(sourceOf(sql), ["radcheck"])).map(({ line }) => line)).toEqual([3, 5]);
  const packed = gzipSync(sql);
  const seen: number[] = [];
  await rowsIn(sourceOf(packed), ["radcheck"], { progress: (bytes) => seen.push(bytes) });
  expect(seen.at(-1)).toBe(packed.length);
});

test("who stops reading lets go of the file", async () => {
  let isCancelled = false;
  let isBegun = false;
  const file: SourceFile = {
    name: "endless.sql",
    bytes: 0,
    open: () =>
      new ReadableStream({
        pull: (controller) => {
          controller.enqueue(
            Buffer.from(isBegun ? "(1,'a'),".repeat(1000) : `${table}INSERT INTO radcheck VALUES `),
          );
          isBegun = true;
        },
        cancel: () => {
          isCancelled = true;
        },
      }),
  };
  for await (const row of readDump(file, new Set(["radcheck"]))) {
    expect(row.values["value"]).toBe("a");
    break;
  }
  expect(isCancelled).toBe(true);
});

test("what goes wrong with the file itself is no refusal of what is in it", async () => {
  const file: SourceFile = {
    name: "gone.sql",
    bytes: 1,
    open: () => new ReadableStream({ pull: (controller) => controller.error(new Error("EIO: i/o error")) }),
  };
  await expect(rowsIn(file, ["radcheck"])).rejects.toThrow("EIO: i/o error");
});

test.each(["gzip", "zstd"])("a bomb of %s is refused before it does harm", async (kind) => {
  const child = Bun.spawn([
    process.execPath,
    join(import.meta.dir, "../../../../support/dumps/read-bomb.ts"),
    kind,
  ]);
  const { refused, growth } = await child.stdout.json();
  expect(refused).toContain("it becomes more than 1000 times as large when it is unpacked");
  expect(growth).toBeLessThan(256 * 1024 ** 2);
});

test("rows of one statement each keep to their table, whatever stands between", async () => {
  const other = "CREATE TABLE `radcheck` (`value` text, `id` int);\n";
  const sql = `${table}INSERT INTO radcheck VALUES (1,'a');\nINSERT INTO radcheck VALUES (2,'b');INSERT INTO others VALUES (3,'c');
    INSERT INTO radcheck VALUES (4,'d'); ${other}INSERT INTO radcheck VALUES ('e',5);\nINSERT INTO radcheck VALUES ('f',6);`;
  for (const room of [16, 4096]) {
    const rows = await rowsIn(sourceOf(sql), ["radcheck"], { room });
    expect(rows.map(({ values: { id, value } }) => `${String(id)}${String(value)}`)).toEqual([
      "1a",
      "2b",
      "4d",
      "5e",
      "6f",
    ]);
  }
});

test("a line of small statements without an end of lines costs no more than its length", async () => {
  const parts = [
    "DROP TABLE a;",
    "DELIMITER ;",
    "SET @a=@@sql_mode;",
    "/*!40000 x */;",
    "$a$",
    "p;",
    "COPY a FROM stdin;",
  ];
  for (const part of parts) {
    const began = performance.now();
    const ended = await rowsIn(sourceOf(`${part.repeat(100_000)}\n`), ["radcheck"]).catch(
      (error: unknown) => error,
    );
    expect(Array.isArray(ended) || ended instanceof MovingRefused, String(ended)).toBe(true);
    // some milliseconds, where a line that is looked at again for each statement would be minutes
    expect(performance.now() - began, part).toBeLessThan(20_000);
  }
});
