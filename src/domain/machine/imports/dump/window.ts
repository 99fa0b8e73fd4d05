const ROOM = 256 * 1024;
/** Newlines behind the last byte, so that what looks ahead finds an end. */
const PAD = 32;

/**
 * The part of a file that is looked at. What is read as a whole (a row, the head of a statement) is read within it; it grows until
 * that fits, and lets go of what is behind `at`.
 */
export class Window {
  bytes: Buffer;
  at = 0;
  end = 0;
  /** Of `at`, from 1. */
  line = 1;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #room: number;
  #rest: Uint8Array | undefined;
  #isEnded = false;

  /** `room`: bytes to begin with. */
  constructor(chunks: AsyncIterator<Uint8Array>, room = ROOM) {
    this.#chunks = chunks;
    this.#room = room;
    this.bytes = Buffer.allocUnsafeSlow(room + PAD);
  }

  /**
   * Brings further bytes, as many as there are already, so that reading a long row again each time costs no more than twice.
   * false: there are none. Behind the last ones are newlines that are not of the file.
   */
  async more(): Promise<boolean> {
    if (this.#isEnded) return false;
    this.#makeRoom();
    const capacity = this.bytes.length - PAD;
    const enough = Math.min(this.end + this.#room, capacity);
    while (this.end < enough) {
      const chunk = this.#rest ?? (await this.#next());
      if (chunk === undefined) return true;
      const part = chunk.subarray(0, capacity - this.end);
      this.bytes.set(part, this.end);
      this.end += part.length;
      this.#rest = part.length < chunk.length ? chunk.subarray(part.length) : undefined;
    }
    return true;
  }

  /** The end of what is of the file. */
  get content(): number {
    return this.#isEnded ? this.end - PAD : this.end;
  }

  get isPast(): boolean {
    return this.#isEnded && this.at >= this.content;
  }

  /** Goes on at `to`, and counts the lines on the way. */
  consume(to: number): void {
    const bytes = this.bytes;
    for (let i = this.at; i < to; i++) if (bytes[i] === 0x0a) this.line++;
    this.at = to;
  }

  #makeRoom(): void {
    const pending = this.end - this.at;
    // a window that grew for one long row does not stay so
    const wished = Math.max(this.#room, pending * 2);
    if (this.bytes.length === wished + PAD) this.bytes.copyWithin(0, this.at, this.end);
    else {
      const larger = Buffer.allocUnsafeSlow(wished + PAD);
      this.bytes.copy(larger, 0, this.at, this.end);
      this.bytes = larger;
    }
    this.at = 0;
    this.end = pending;
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done !== true) return value;
    this.#isEnded = true;
    this.bytes.fill(0x0a, this.end, this.end + PAD);
    this.end += PAD;
    return undefined;
  }

  /** Lets go of the file. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
