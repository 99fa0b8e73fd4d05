/** What happens when, in its order; of one moment in the order in which it was said. */
export class Clockwork {
  readonly #heap: { readonly at: number; readonly order: number; readonly work: () => void }[] = [];
  #order = 0;

  at(at: number, work: () => void): void {
    this.#heap.push({ at, order: this.#order++, work });
    let index = this.#heap.length - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (this.#isBefore(above, index)) break;
      this.#swap(above, index);
      index = above;
    }
  }

  /** Does everything up to a moment. */
  run(until: number): void {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.at > until) return;
      this.#removeFirst();
      first.work();
    }
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    let index = 0;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (left < this.#heap.length && this.#isBefore(left, least)) least = left;
      if (right < this.#heap.length && this.#isBefore(right, least)) least = right;
      if (least === index) return;
      this.#swap(least, index);
      index = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return true;
    return one.at === other.at ? one.order < other.order : one.at < other.at;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}
