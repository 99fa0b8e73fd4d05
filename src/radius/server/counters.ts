/** How many packets of a kind a NAS sent that ended in an outcome. `nas` is null for addresses that are none. */
export interface PacketCount {
  readonly nas: string | null;
  /** The RFC's name of the packet, as in `Access-Request`; `dropped` for a datagram that was refused. */
  readonly kind: string;
  /** The decision, what was stored, `repeated`, or why it was refused. */
  readonly outcome: string;
  readonly count: number;
}

type Counter = { -readonly [K in keyof PacketCount]: PacketCount[K] };

/** Counts packets by NAS, kind and outcome. Names come from the configuration and the program, so there are few. */
export class Counters {
  readonly #counters = new Map<string, Counter>();
  /** What was counted last: nearly every packet is like the one before. */
  #last: Counter | undefined;

  add(nas: string | null, kind: string, outcome: string, count = 1): void {
    if (this.#last?.nas !== nas || this.#last.kind !== kind || this.#last.outcome !== outcome)
      this.#last = this.#counterOf(nas, kind, outcome);
    this.#last.count += count;
  }

  #counterOf(nas: string | null, kind: string, outcome: string): Counter {
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
