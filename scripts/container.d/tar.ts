/** What stands in a tar file. */
export interface TarEntry {
  /** Relative, without a slash at its end; 100 bytes at the most. */
  readonly path: string;
  readonly content: { kind: "folder" } | { kind: "link"; to: string } | { kind: "file"; bytes: Uint8Array };
  readonly mode: number;
  /** User and group. */
  readonly owner?: number;
}

const BLOCK = 512;
const typeFlags = { file: "0", link: "2", folder: "5" } as const;

/** The parts of a tar file (ustar, POSIX.1-1988) of these entries as they stand, all of one time in UTC seconds. Throws for what it cannot name. */
export function tarParts(entries: readonly TarEntry[], time: number): Uint8Array[] {
  const parts = entries.flatMap((entry) => {
    const { content } = entry;
    const header = buildHeader(entry, time);
    if (content.kind !== "file") return [header];
    return [header, content.bytes, new Uint8Array(-content.bytes.length & (BLOCK - 1))];
  });
  return [...parts, new Uint8Array(2 * BLOCK)];
}

function buildHeader({ path, content, mode, owner = 0 }: TarEntry, time: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const put = (text: string, at: number, length: number) => {
    if (Buffer.byteLength(text) > length) throw new Error(`${text} is too long for a tar file`);
    header.write(text, at);
  };
  const putNumber = (value: number, at: number, length: number) =>
    put(value.toString(8).padStart(length - 1, "0"), at, length - 1);
  put(content.kind === "folder" ? `${path}/` : path, 0, 100);
  putNumber(mode, 100, 8);
  putNumber(owner, 108, 8);
  putNumber(owner, 116, 8);
  putNumber(content.kind === "file" ? content.bytes.length : 0, 124, 12);
  putNumber(time, 136, 12);
  put(typeFlags[content.kind], 156, 1);
  if (content.kind === "link") put(content.to, 157, 100);
  put("ustar\x0000", 257, 8);
  header.fill(" ", 148, 156); // the checksum is counted with blanks in its place
  put(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    8,
  );
  return header;
}
