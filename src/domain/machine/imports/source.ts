import type { Seconds } from "../../core/time/time.ts";
import type { Moved } from "./model.ts";
import type { Notices } from "./notices.ts";

export interface SourceFile {
  readonly name: string;
  readonly bytes: number;
  /** From the beginning, compressed if it is. */
  readonly open: () => ReadableStream<Uint8Array>;
}

export interface ReadOptions {
  readonly now: Seconds;
  /** IANA; for times without a zone. */
  readonly zone: string;
  /** The column map, as JSON (csv). */
  readonly map?: unknown;
  readonly notices: Notices;
  readonly progress?: (bytes: number) => void;
}

/** Reads a kind of system. Throws MovingRefused for an unknown, truncated or harmful file; faulty rows are reported and skipped. */
export type ReadSource = (files: readonly SourceFile[], options: ReadOptions) => Promise<Moved>;

/** An unreadable file: where, why, and what to do. */
export class MovingRefused extends Error {
  override name = "MovingRefused";
}
