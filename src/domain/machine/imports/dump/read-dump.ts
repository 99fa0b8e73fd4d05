import { MovingRefused } from "../source.ts";
import type { SourceFile } from "../source.ts";
import type { Notices } from "../notices.ts";
import { Parser } from "./parser.ts";
import { plainBytes } from "./plain.ts";
import type { DumpRow } from "./row.ts";
import { Window } from "./window.ts";

/** Bytes of a row or statement at the most. */
const LONGEST = 16 * 1024 * 1024;

export interface DumpOptions {
  readonly notices?: Notices;
  readonly progress?: (bytes: number) => void;
  readonly room?: number;
}

/**
 * Streams rows of MySQL, MariaDB, PostgreSQL or SQLite dumps of any size; `tables` in lower case. Throws MovingRefused for no
 * dump, a truncated or a harmful one.
 */
export async function* readDump(
  file: SourceFile,
  tables: ReadonlySet<string>,
  options: DumpOptions = {},
): AsyncGenerator<DumpRow, void, void> {
  const window = new Window(plainBytes(file, options.progress), options.room);
  const parser = new Parser(window, tables);
  try {
    for (;;) {
      const row = parser.next();
      if (row !== undefined) yield row;
      else if (window.end - window.at > LONGEST) throw new MovingRefused(tooLong);
      else if (!(await window.more())) break;
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    throw new MovingRefused(`${file.name}, line ${parser.line}: ${error.message}`, { cause: error });
  } finally {
    await window.close();
  }
  tell(file, parser, options.notices);
}

const tooLong = `a row or a statement is longer than ${LONGEST / 1024 / 1024} MB, which none of subscribers is`;

function tell(file: SourceFile, { session, remarks, line }: Parser, notices: Notices | undefined): void {
  const { notUtf8, stillUtf8, said: statedCharset } = session.charset;
  const add = (text: string, at: number | null = null) =>
    notices?.add("note", at === null ? null : { file: file.name, line: at }, file.name, text);
  if (remarks.begun > remarks.ended) {
    const missing = "the last line, which the program writes when it is done, is missing";
    add(`${missing}: the dump may be cut off; compare the number of subscribers, or make it again`, line);
  }
  if (notUtf8 > 0) add(`values that are not in UTF-8, and were read as Windows-1252: ${notUtf8}`);
  if (stillUtf8 > 0) {
    add(
      `values that are in UTF-8 though the dump says ${statedCharset}, and were read as that: ${stillUtf8}`,
    );
  }
}
