import type { MoveNotice, MoveOrder } from "./work.ts";

export interface MoveListener {
  readonly notice: (notice: MoveNotice) => void;
  /** With why, where it did not report its end. */
  readonly ended: (why: "ended" | "too_large") => void;
}

/** Works on an upload in a separate process: whatever a file does to it, the server goes on. */
export interface MoveProcess {
  /** Ends it cleanly. */
  readonly stop: () => void;
  /** Kills it: it has written all or nothing. */
  readonly kill: () => void;
}

export type SpawnMove = (order: MoveOrder, listener: MoveListener) => MoveProcess;
