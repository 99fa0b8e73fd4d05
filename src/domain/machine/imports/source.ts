import type { Seconds } from "../../core/time/time.ts";
import type { Moved } from "./model.ts";
import type { Notices } from "./notices.ts";

export interface SourceFile {
  readonly name: string;
  readonly bytes: number;
  /** A new stream from the beginning, still compressed where it is. */
  readonly open: () => ReadableStream<Uint8Array>;
}

export interface ReadOptions {
  readonly now: Seconds;
  /** IANA name of the zone that times without one are in. */
  readonly zone: string;
  /** Which column is what, as JSON (csv). */
  readonly map?: unknown;
  readonly notices: Notices;
  /** Hears bytes read so far of all files, for who waits. */
  readonly progress?: (bytes: number) => void;
}

/**
 * Reads a kind of system. Throws MovingRefused where a file as a whole is none that it knows, is cut off, or does harm; what is
 * wrong with one row is told, and the others come.
 */
export type ReadSource = (files: readonly SourceFile[], options: ReadOptions) => Promise<Moved>;

/** A file that cannot be read as what it is said to be; the message says where, why, and what to do. */
export class MovingRefused extends Error {
  override name = "MovingRefused";
}
