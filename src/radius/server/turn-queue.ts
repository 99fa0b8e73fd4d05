/** What waits, by who sent it, taken in turns: whoever sends a lot makes nobody else wait, and itself comes in the order of arrival. */
export class TurnQueue<T> {
  /** In the order of whose turn it is. */
  readonly #queues = new Map<number, T[]>();
  readonly #most: number;
  #size = 0;

  /** `most`: what waits of all together; of one sender half of it. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  hasRoom(sender: number): boolean {
    return this.#size < this.#most && (this.#queues.get(sender)?.length ?? 0) < this.#most / 2;
  }

  /** Where there is room. */
  add(sender: number, item: T): void {
    const queue = this.#queues.get(sender);
    if (queue) queue.push(item);
    else this.#queues.set(sender, [item]);
    this.#size++;
  }

  /** Takes so many at the most, as many of each as there are turns; who got its turn comes after the others the next time. */
  take(limit: number): T[] {
    const drained: T[] = [];
    while (drained.length < limit && this.#size > drained.length) {
      const share = Math.max(1, Math.floor((limit - drained.length) / this.#queues.size));
      for (const [sender, queue] of [...this.#queues]) {
        if (drained.length === limit) break;
        drained.push(...queue.splice(0, Math.min(share, limit - drained.length)));
        this.#queues.delete(sender);
        if (queue.length > 0) this.#queues.set(sender, queue);
      }
    }
    this.#size -= drained.length;
    return drained;
  }
}
