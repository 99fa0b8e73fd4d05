const ROOM = 256 * 1024;
/** Newlines for lookahead. */
const PAD = 32;

/** The visible part of a file: rows and heads are read within it; it grows for long ones and drops what is behind `at`. */
export class Window {
  bytes: Buffer;
  at = 0;
  end = 0;
  line = 1;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #room: number;
  #rest: Uint8Array | undefined;
  #isEnded = false;

  constructor(chunks: AsyncIterator<Uint8Array>, room = ROOM) {
    this.#chunks = chunks;
    this.#room = room;
    this.bytes = Buffer.allocUnsafeSlow(room + PAD);
  }

  /** Doubles the window, so that rereading a long row costs at most twice. false: the end, padded with newlines. */
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

  /** The end of real content. */
  get content(): number {
    return this.#isEnded ? this.end - PAD : this.end;
  }

  get isPast(): boolean {
    return this.#isEnded && this.at >= this.content;
  }

  consume(to: number): void {
    const bytes = this.bytes;
    for (let i = this.at; i < to; i++) if (bytes[i] === 0x0a) this.line++;
    this.at = to;
  }

  #makeRoom(): void {
    const pending = this.end - this.at;
    // shrinks again after a long row
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

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
