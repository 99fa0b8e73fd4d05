/** A queue that takes items from senders in turns: a busy sender delays nobody else, and its own items keep their order. */
export class TurnQueue<T> {
  /** In the order of turns. */
  readonly #queues = new Map<number, T[]>();
  readonly #most: number;
  #size = 0;

  /** `most`: items in total; half of it for one sender. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  hasRoom(sender: number): boolean {
    return this.#size < this.#most && (this.#queues.get(sender)?.length ?? 0) < this.#most / 2;
  }

  /** Returns whether there was room. */
  add(sender: number, item: T): void {
    const queue = this.#queues.get(sender);
    if (queue) queue.push(item);
    else this.#queues.set(sender, [item]);
    this.#size++;
  }

  /** Takes up to `limit` items round-robin; the next call goes on with the next sender. */
  take(limit: number): T[] {
    const [only, other] = this.#queues.values();
    if (only && !other && only.length <= limit) return this.#takeAll(only);
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

  /** What the only sender has, as it is. */
  #takeAll(queue: T[]): T[] {
    this.#queues.clear();
    this.#size = 0;
    return queue;
  }
}
