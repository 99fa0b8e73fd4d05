import type { DumpOptions } from "../../../src/domain/machine/imports/dump/read-dump.ts";
import { readDump } from "../../../src/domain/machine/imports/dump/read-dump.ts";
import type { DumpRow } from "../../../src/domain/machine/imports/dump/row.ts";
import type { SourceFile } from "../../../src/domain/machine/imports/source.ts";

export function sourceOf(content: string | Uint8Array, name = "dump.sql", piece = 64 * 1024): SourceFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    bytes: bytes.length,
    open: () => {
      let at = 0;
      return new ReadableStream({
        pull: (controller) => {
          if (at < bytes.length) controller.enqueue(bytes.slice(at, at + piece));
          else controller.close();
          at += piece;
        },
      });
    },
  };
}

export function keptDump(file: string): SourceFile {
  const kept = Bun.file(new URL(file, import.meta.url));
  return { name: file, bytes: kept.size, open: () => kept.stream() };
}

export async function rowsIn(
  file: SourceFile,
  tables: readonly string[],
  options?: DumpOptions,
): Promise<DumpRow[]> {
  const rows: DumpRow[] = [];
  for await (const row of readDump(file, new Set(tables), options)) rows.push(row);
  return rows;
}
