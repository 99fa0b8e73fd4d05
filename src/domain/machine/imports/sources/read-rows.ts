import { readDump } from "../dump/read-dump.ts";
import type { DumpRow } from "../dump/row.ts";
import type { ReadOptions, SourceFile } from "../source.ts";
import { Room } from "./room.ts";

interface Reading {
  readonly tables: ReadonlySet<string>;
  readonly options: ReadOptions;
  /** Tables mostly on disk, which need no limit. */
  readonly uncounted?: ReadonlySet<string>;
  readonly room?: Room;
}

const NONE: ReadonlySet<string> = new Set();

/** Passes wanted rows to `add`. Throws MovingRefused for unreadable or too many. */
export async function readRows(
  files: readonly SourceFile[],
  { tables, options, uncounted = NONE, room = new Room() }: Reading,
  add: (row: DumpRow, file: string) => void,
): Promise<void> {
  let before = 0;
  for (const file of files) {
    const progress = (bytes: number) => options.progress?.(before + bytes);
    for await (const row of readDump(file, tables, { progress, notices: options.notices })) {
      if (!uncounted.has(row.table)) room.take(lengthOf(row));
      add(row, file.name);
    }
    before += file.bytes;
  }
}

function lengthOf({ values }: DumpRow): number {
  let length = 0;
  for (const value of Object.values(values)) length += value?.length ?? 0;
  return length;
}
