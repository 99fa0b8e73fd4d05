import type { ReadSource } from "./source.ts";
import { readCsv } from "./sources/csv/read.ts";

/** A kind of system that one can come from. */
interface Source {
  /** As people call it. */
  readonly title: string;
  readonly read: ReadSource;
}

/** Every kind, by the name that moves keep. */
export const sources = {
  csv: { title: "a spreadsheet (CSV)", read: readCsv },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;

export function isSource(name: string): name is SourceName {
  return Object.hasOwn(sources, name);
}
