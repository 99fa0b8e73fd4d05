export type Format = keyof typeof magic | "tar" | "utf-16le" | "utf-16be" | "text" | "empty";

const magic = {
  gzip: "\x1f\x8b",
  zstd: "\x28\xb5\x2f\xfd",
  bzip2: "BZh",
  xz: "\xfd7zXZ\x00",
  lz4: "\x04\x22\x4d\x18",
  compress: "\x1f\x9d",
  "7z": "7z\xbc\xaf\x27\x1c",
  rar: "Rar!",
  zip: "PK\x03\x04",
  postgres: "PGDMP",
  sqlite: "SQLite format 3\x00",
} as const;

/** Bytes that identify a format. */
export const ENOUGH = 512;

export function guessFormat(first: Uint8Array): Format {
  if (first.length === 0) return "empty";
  if (first[0] === 0xff && first[1] === 0xfe) return "utf-16le";
  if (first[0] === 0xfe && first[1] === 0xff) return "utf-16be";
  const text = Buffer.from(first.buffer, first.byteOffset, Math.min(first.length, ENOUGH)).toString("latin1");
  for (const [format, begin] of Object.entries(magic)) if (text.startsWith(begin)) return format as Format;
  return text.slice(257, 262) === "ustar" ? "tar" : "text";
}

const unpack = (program: string): string =>
  `unpack it first (${program} FILE) and give the file that comes of it`;

/** Why a file of that kind is not read, and what to do. */
export function refusal(format: Exclude<Format, "text" | "utf-16le" | "utf-16be">): string {
  const reasons: Record<typeof format, string> = {
    gzip: "it is compressed twice: gunzip it and try again",
    zstd: "it is compressed twice: unzstd it and try again",
    bzip2: `it is compressed by bzip2: ${unpack("bunzip2")}`,
    xz: `it is compressed by xz: ${unpack("unxz")}`,
    lz4: `it is compressed by lz4: ${unpack("unlz4")}`,
    compress: `it is compressed by compress: ${unpack("uncompress")}`,
    "7z": `it is a 7z archive: ${unpack("7z x")}`,
    rar: `it is a RAR archive: ${unpack("unrar x")}`,
    zip: `it is a ZIP archive: ${unpack("unzip")}`,
    tar: `it is a tar archive: ${unpack("tar xf")}; of pg_dump -Ft: make it again as SQL, pg_dump -Fp`,
    postgres:
      "it is in pg_dump's own format: make it again as SQL (pg_dump -Fp), or turn it into that (pg_restore -f dump.sql FILE)",
    sqlite: "it is a database of SQLite itself: make a dump of it (sqlite3 FILE .dump > dump.sql)",
    empty: "it is empty: make the dump again, and look at what the program said",
  };
  return reasons[format];
}
