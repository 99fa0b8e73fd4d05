/** Charsets of MySQL and PostgreSQL for TextDecoder; not those in which a `\` may be part of a letter. */
const labels = new Map<string, string>([
  ...["utf8", "utf8mb3", "utf8mb4", "unicode", "ascii", "usascii", "sqlascii", "binary"].map(
    (name) => [name, "utf-8"] as const,
  ),
  ["latin1", "windows-1252"],
  ["latin2", "iso-8859-2"],
  ["latin3", "iso-8859-3"],
  ["latin4", "iso-8859-4"],
  ["latin5", "windows-1254"],
  ["latin6", "iso-8859-10"],
  ["latin7", "iso-8859-13"],
  ["latin8", "iso-8859-14"],
  ["latin9", "iso-8859-15"],
  ["latin10", "iso-8859-16"],
  ["greek", "iso-8859-7"],
  ["hebrew", "iso-8859-8"],
  ["iso88595", "iso-8859-5"],
  ["iso88596", "iso-8859-6"],
  ["iso88597", "iso-8859-7"],
  ["iso88598", "iso-8859-8"],
  ["tis620", "windows-874"],
  ["win874", "windows-874"],
  ["koi8", "koi8-r"],
  ["koi8r", "koi8-r"],
  ["koi8u", "koi8-u"],
  ["cp866", "ibm866"],
  ["win866", "ibm866"],
  ["macroman", "macintosh"],
  ["ujis", "euc-jp"],
  ["eucjp", "euc-jp"],
  ["euckr", "euc-kr"],
  ["euccn", "gb18030"],
  ["gb2312", "gb18030"],
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].flatMap((page) => [
    [`cp${page}`, `windows-${page}`] as const,
    [`win${page}`, `windows-${page}`] as const,
  ]),
]);

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const western = new TextDecoder("windows-1252");

/** Makes text of the bytes of a dump, in the character set that it says. */
export class Charset {
  #said = "utf8";
  #own: TextDecoder | undefined = utf8;
  /** Invalid UTF-8 that was read as Windows-1252. */
  notUtf8 = 0;
  /** UTF-8 in spite of the declared charset. */
  stillUtf8 = 0;

  set(charsetName: string): void {
    this.#said = charsetName;
    const label = labels.get(charsetName.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
    this.#own =
      label === undefined ? undefined : label === "utf-8" ? utf8 : new TextDecoder(label as Bun.Encoding);
  }

  get said(): string {
    return this.#said;
  }

  /**
   * Decodes; undefined: unsupported. Valid UTF-8 wins over the declared charset: other text hardly ever is, and old systems
   * used wrong connections.
   */
  decode(bytes: Uint8Array): string | undefined {
    const text = asUtf8(bytes);
    if (this.#own === utf8) {
      if (text !== undefined) return text;
      this.notUtf8++;
      return western.decode(bytes);
    }
    if (text === undefined) return this.#own?.decode(bytes);
    this.stillUtf8++;
    return text;
  }
}

export function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
