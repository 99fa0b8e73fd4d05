import { gzipSync } from "node:zlib";

/** A file of another system that does harm to who holds it in memory, as it is made. */
export interface HostileFile {
  readonly what: string;
  readonly pieces: () => Iterable<Uint8Array>;
  /** What becomes of it: it is tried, or refused in these words. */
  readonly becomes: "tried" | RegExp;
}

const PIECE = 2 ** 20;
const table = (name: string, columns: string) =>
  `CREATE TABLE \`${name}\` (\n${columns
    .split(" ")
    .map((column) => `  \`${column}\` varchar(253) DEFAULT NULL`)
    .join(",\n")}\n);\n`;
const END = "-- Dump completed on 2026-11-22 12:00:00\n";

/** Texts in pieces of about a megabyte. */
function* inPieces(texts: Iterable<string>): Generator<Uint8Array, void> {
  let piece: string[] = [];
  let length = 0;
  for (const text of texts) {
    piece.push(text);
    length += text.length;
    if (length < PIECE) continue;
    yield Buffer.from(piece.join(""));
    [piece, length] = [[], 0];
  }
  yield Buffer.from(piece.join(""));
}

/** Rows of a table, a thousand a statement. */
function* rowsOf(name: string, columns: string, count: number, row: (n: number) => string) {
  yield table(name, columns);
  for (let n = 0; n < count; n++)
    yield `${n % 1000 === 0 ? `${n > 0 ? ";\n" : ""}INSERT INTO \`${name}\` VALUES ` : ","}${row(n)}`;
  yield ";\n";
}

const people = (count: number) =>
  rowsOf(
    "radcheck",
    "username attribute op value",
    count,
    (n) => `('user${n}','Cleartext-Password',':=','pw${n}')`,
  );

function* accounting(users: number, megabytes: number): Generator<string, void> {
  const columns =
    "acctsessionid username nasipaddress acctstarttime acctstoptime acctinputoctets framedprotocol connectinfo";
  const filling = "x".repeat(150);
  yield "-- MariaDB dump 10.19\n";
  yield* people(users);
  const day = (n: number) => String((n % 21) + 1).padStart(2, "0");
  yield* rowsOf(
    "radacct",
    columns,
    Math.ceil((megabytes * 1e6) / 260),
    (n) =>
      `('s${n}','user${n % users}','10.0.0.1','2026-11-${day(n)} 08:00:00','2026-11-${day(n)} 20:00:00','1000','PPP','${filling}')`,
  );
  yield END;
}

function* tinyAccounting(rows: number, users: number): Generator<string, void> {
  yield "-- MariaDB dump 10.19\n";
  yield* people(users);
  const columns = "username acctstarttime acctstoptime";
  const time = (n: number) => `2026-11-${String((n % 21) + 1).padStart(2, "0")} 08:00:00`;
  yield* rowsOf("radacct", columns, rows, (n) => `('user${n % users}','${time(n)}','${time(n)}')`);
  yield END;
}

function* tiny(rows: number): Generator<string, void> {
  yield "-- MariaDB dump 10.19\n";
  yield* rowsOf("radcheck", "username attribute op value", rows, (n) => `('u${n}','a','','')`);
  yield END;
}

function* longLine(megabytes: number): Generator<Uint8Array, void> {
  yield Buffer.from(`${table("radcheck", "username value")}INSERT INTO \`radcheck\` VALUES ('u','`);
  const piece = Buffer.alloc(PIECE, "x");
  for (let n = 0; n < megabytes; n++) yield piece;
  yield Buffer.from(`');\n${END}`);
}

function* bomb(gigabytes: number): Generator<Uint8Array, void> {
  const member = gzipSync(Buffer.alloc(16 * PIECE, " "), { level: 9 });
  for (let n = 0; n < gigabytes * 64; n++) yield member;
}

/** `share` of them is all of their size. */
export function hostileFiles(share: number): readonly HostileFile[] {
  const megabytes = Math.ceil(2000 * share);
  const rows = Math.ceil(10_000_000 * share);
  const line = Math.max(20, Math.ceil(500 * share));
  return [
    {
      what: `${(megabytes / 1000).toFixed(2)} GB of accounting`,
      pieces: () => inPieces(accounting(2000, megabytes)),
      becomes: "tried",
    },
    {
      what: `${rows.toLocaleString("en-US")} tiny rows of accounting`,
      pieces: () => inPieces(tinyAccounting(rows, 2000)),
      becomes: "tried",
    },
    {
      what: `${rows.toLocaleString("en-US")} tiny rows, each of another name`,
      pieces: () => inPieces(tiny(rows)),
      becomes: rows > 200_000 ? /more than 200,000 subscribers/ : "tried",
    },
    {
      what: `a line of ${line} MB`,
      pieces: () => longLine(line),
      becomes: /longer than 16 MB/,
    },
    { what: "a gzip of 4 GB of blanks", pieces: () => bomb(4), becomes: /1000 times as large/ },
  ];
}
