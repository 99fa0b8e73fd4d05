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

  add(nas: string | null, kind: string, outcome: string, count = 1): void {
    const key = `${outcome} ${kind} ${nas ?? ""}`;
    const counter = this.#counters.get(key);
    if (counter) counter.count += count;
    else this.#counters.set(key, { nas, kind, outcome, count });
  }

  /** Every count since the beginning, or since they were last taken. */
  all(): readonly PacketCount[] {
    return [...this.#counters.values()];
  }

  /** Every count, which then begins again. */
  take(): readonly PacketCount[] {
    const taken = this.all();
    this.#counters.clear();
    return taken;
  }
}
