import type { DumpValue } from "../../../src/domain/machine/imports/dump/row.ts";

/** Dialects of dumps, as a reference for the reader. */
export type Dialect = "mysql" | "no-backslash" | "ansi" | "postgres" | "postgres-e" | "copy" | "sqlite";

export function written(
  dialect: Dialect,
  columns: readonly string[],
  rows: readonly (readonly DumpValue[])[],
): Uint8Array {
  const [quote, head] = heads[dialect];
  const name = (text: string): string => quote + text.replaceAll(quote, quote + quote) + quote;
  const out = [
    head,
    `CREATE TABLE ${name("other")} (\n ${name("a;b")} text, -- a comment; with 'quotes"\n ${name("c")} text\n);\n`,
  ];
  if (dialect === "copy") {
    const lines = rows.map((row) => `${row.map(copied).join("\t")}\n`);
    out.push(`COPY public.other (a, c) FROM stdin;\n1\t\\\\.\n2\t;'\n\\.\n\n`);
    out.push(`COPY public.wanted (${columns.map(name).join(", ")}) FROM stdin;\n`, ...lines, "\\.\n\n");
    return Buffer.concat(out.map((part) => Buffer.from(part)));
  }
  const tuples = rows.map((row) => `(${row.map((value) => literal(value, dialect)).join(",")})`);
  const values = tuples.join(", ");
  out.push(`INSERT INTO ${name("other")} VALUES ${values || "(1)"};\n`);
  if (tuples.length > 0)
    out.push(`INSERT INTO ${name("wanted")} (${columns.map(name).join(", ")}) VALUES ${values};\n`);
  out.push(`/* the end; of 'it */\n`);
  return Buffer.concat(out.map((part) => Buffer.from(part)));
}

const heads: Readonly<Record<Dialect, readonly [quote: string, head: string]>> = {
  mysql: ["`", "/*!40101 SET NAMES utf8mb4 */;\n"],
  "no-backslash": [
    "`",
    "SET NAMES utf8mb4;\n/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES' */;\n",
  ],
  ansi: ['"', "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='ANSI_QUOTES' */;\n"],
  postgres: ['"', "SET standard_conforming_strings = on;\n"],
  "postgres-e": ['"', "SET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n"],
  copy: ['"', "SET standard_conforming_strings = on;\n"],
  sqlite: ['"', "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"],
};

const mysqlEscapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\n": "\\n",
  "\r": "\\r",
  "\x1a": "\\Z",
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
};
const copyEscapes: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
};

function literal(value: DumpValue, dialect: Dialect): string {
  if (value === null) return "NULL";
  if (typeof value !== "string")
    return dialect === "mysql"
      ? `0x${Buffer.from(value).toString("hex")}`
      : `x'${Buffer.from(value).toString("hex")}'`;
  if (dialect === "mysql" || dialect === "ansi") {
    // oxlint-disable-next-line no-control-regex
    return `'${value.replaceAll(/[\0\n\r\x1a\\'"]/g, (sign) => mysqlEscapes[sign] ?? sign)}'`;
  }
  if (dialect === "postgres-e")
    return `E'${value.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\n", "\\n")}'`;
  return `'${value.replaceAll("'", "''")}'`;
}

function copied(value: DumpValue): string {
  if (value === null) return "\\N";
  // oxlint-disable-next-line no-control-regex
  return String(value).replaceAll(/[\b\f\n\r\t\v\\]/g, (sign) => copyEscapes[sign] ?? sign);
}
