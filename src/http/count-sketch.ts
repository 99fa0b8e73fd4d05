const ROWS = 4;
const CELLS = 2 ** 18;
const MOST = 255;

/**
 * A count-min sketch with conservative update: fixed memory, never too low. A key's count is the smallest of four cells; of
 * 100,000 keys in a window one or two in a hundred are one too high, none five. Counts last for one to two windows; an idle
 * sketch frees its memory.
 */
export class CountSketch {
  readonly #window: number;
  #current: Uint8Array | undefined;
  #previous: Uint8Array | undefined;
  #begun = Number.NEGATIVE_INFINITY;

  constructor(window: number) {
    this.#window = window;
  }

  /** `key`: a base64 digest. */
  of(key: string, now: number): number {
    this.#turn(now);
    if (!this.#current && !this.#previous) return 0;
    const cells = findCells(key);
    return smallest(this.#current, cells) + smallest(this.#previous, cells);
  }

  add(key: string, now: number): void {
    this.#turn(now);
    this.#current ??= new Uint8Array(ROWS * CELLS);
    const cells = findCells(key);
    const count = Math.min(MOST, 1 + smallest(this.#current, cells));
    for (const cell of cells) this.#current[cell] = Math.max(count, this.#current[cell] ?? 0);
  }

  #turn(now: number): void {
    const age = now - this.#begun;
    if (age < this.#window) return;
    const isNext = age < 2 * this.#window;
    this.#previous = isNext ? this.#current : undefined;
    this.#current = undefined;
    this.#begun = isNext ? this.#begun + this.#window : now;
  }
}

function findCells(key: string): number[] {
  const digest = Buffer.from(key, "base64");
  return Array.from({ length: ROWS }, (_, row) => row * CELLS + (digest.readUInt32LE(row * 4) & (CELLS - 1)));
}

function smallest(counts: Uint8Array | undefined, cells: readonly number[]): number {
  return counts ? Math.min(...cells.map((cell) => counts[cell] ?? 0)) : 0;
}
