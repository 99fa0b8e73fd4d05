/** A value of a dump: text as the database would give it, bytes of a blob that is no text, NULL. */
export type DumpValue = string | Uint8Array | null;

/** One row of a table; `line` is where its statement or line begins. Columns are named as the dump names them, in lower case. */
export interface DumpRow {
  readonly table: string;
  readonly line: number;
  readonly values: Readonly<Record<string, DumpValue>>;
}
