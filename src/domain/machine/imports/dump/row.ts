/** Text, bytes of a BLOB, or NULL. */
export type DumpValue = string | Uint8Array | null;

/** `line` is its beginning. Column names are in lower case. */
export interface DumpRow {
  readonly table: string;
  readonly line: number;
  readonly values: Readonly<Record<string, DumpValue>>;
}
