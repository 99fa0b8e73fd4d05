import type { MoveNotice, MoveOrder } from "./work.ts";

export interface MoveListener {
  readonly notice: (notice: MoveNotice) => void;
  /** It is over, with the reason where it did not say that it was done. */
  readonly ended: (why: "ended" | "too_large") => void;
}

/** Does one thing with what was uploaded, apart from the server: whatever a file does to it, the server goes on. */
export interface MoveProcess {
  /** Ends it as soon as nothing is left half done. */
  readonly stop: () => void;
  /** Ends it at once: it has written all or nothing. */
  readonly kill: () => void;
}

export type SpawnMove = (order: MoveOrder, listener: MoveListener) => MoveProcess;
