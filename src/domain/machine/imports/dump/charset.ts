/** MySQL's and PostgreSQL's names of character sets, as TextDecoder calls them. Those whose letters may hold a `\` are not there. */
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
  /** Values that were no UTF-8 though the dump says so, and were read as Windows-1252. */
  notUtf8 = 0;
  /** Values that were UTF-8 though the dump says otherwise. */
  stillUtf8 = 0;

  /** What follows is in the set of that name. */
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
   * Text of bytes that are not all ASCII; undefined: of a set that nothing here reads. What is UTF-8 is read as that, whatever the
   * dump says: text in another set is as good as never valid UTF-8, and old systems wrote it through connections of the wrong set.
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

/** Text of bytes that are UTF-8, else undefined. */
export function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
