/** Packets of a NAS of one kind and outcome. `nas` is null for unknown addresses. */
export interface PacketCount {
  readonly nas: string | null;
  /** The RFC's packet name, as in `Access-Request`; `dropped` for a refused datagram. */
  readonly kind: string;
  /** The decision, what was stored, `repeated`, or why it was refused. */
  readonly outcome: string;
  readonly count: number;
}

type Counter = { -readonly [K in keyof PacketCount]: PacketCount[K] };

/** Counts packets by NAS, kind and outcome. All come from the configuration and the program, so there are few. */
export class Counters {
  readonly #counters = new Map<string, Counter>();
  /** The last counter: nearly every packet is like the one before. */
  #last: Counter | undefined;

  add(nas: string | null, kind: string, outcome: string, count = 1): void {
    if (this.#last?.nas !== nas || this.#last.kind !== kind || this.#last.outcome !== outcome)
      this.#last = this.#findCounter(nas, kind, outcome);
    this.#last.count += count;
  }

  #findCounter(nas: string | null, kind: string, outcome: string): Counter {
    const key = `${outcome} ${kind} ${nas ?? ""}`;
    const known = this.#counters.get(key);
    if (known) return known;
    const counter = { nas, kind, outcome, count: 0 };
    this.#counters.set(key, counter);
    return counter;
  }

  all(): readonly PacketCount[] {
    return [...this.#counters.values()];
  }

  take(): readonly PacketCount[] {
    const drained = this.all();
    this.#counters.clear();
    this.#last = undefined;
    return drained;
  }
}
