import type { FileSync } from "../../os/file-sync.ts";

/** What one sync was of; with its failure none of it counts as stored. */
export interface Synced<T> {
  readonly batches: readonly T[];
  readonly failure: Error | undefined;
}

/**
 * Committed batches on their way to the disk. One sync is under way at a time, beside the work of the thread; what is committed
 * meanwhile shares the next.
 */
export class DiskQueue<T> {
  readonly #file: Pick<FileSync, "begin" | "hasEnded" | "finish" | "now">;
  #syncing: readonly T[] = [];
  #committed: T[] = [];

  constructor(file: Pick<FileSync, "begin" | "hasEnded" | "finish" | "now">) {
    this.#file = file;
  }

  get isEmpty(): boolean {
    return this.#syncing.length === 0 && this.#committed.length === 0;
  }

  get isUnderWay(): boolean {
    return this.#syncing.length > 0;
  }

  add(batch: T): void {
    this.#committed.push(batch);
  }

  /** Begins to sync what is committed, unless a sync is under way. */
  begin(): void {
    if (this.isUnderWay || this.#committed.length === 0) return;
    this.#syncing = this.#committed;
    this.#committed = [];
    this.#file.begin();
  }

  /** What the sync under way was of, if it has ended; waits for that up to so many microseconds. */
  ended(patience = 0): Synced<T> | undefined {
    if (!this.isUnderWay || !this.#file.hasEnded(patience)) return undefined;
    const batches = this.#syncing;
    this.#syncing = [];
    return this.#outcome(batches, () => this.#file.finish());
  }

  /** Syncs all that is left, in turn. */
  *settle(): Generator<Synced<T>> {
    while (this.isUnderWay) {
      const synced = this.ended(Number.MAX_SAFE_INTEGER);
      if (synced) yield synced;
    }
    if (this.#committed.length === 0) return;
    const batches = this.#committed;
    this.#committed = [];
    yield this.#outcome(batches, () => this.#file.now());
  }

  /** Where a sync has failed what was committed since stands behind a gap in the log: it does not count either. */
  #outcome(batches: readonly T[], sync: () => void): Synced<T> {
    try {
      sync();
      return { batches, failure: undefined };
    } catch (error) {
      const rest = this.#committed;
      this.#committed = [];
      return { batches: [...batches, ...rest], failure: error as Error };
    }
  }
}
