import type { ArrivalKind, Arrived } from "../../domain/goods/nas/arrivals.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import type { Client } from "./clients.ts";

type Counted = { -readonly [K in keyof Arrived]: Arrived[K] };

/** Most addresses kept per kind until the next take, each second: routers and others. */
const MOST_ROUTERS = 1024;
const MOST_STRANGERS = 64;

/** Counts arrivals by kind and address, so that main gets one message a second; a flood beyond that is left out. */
export class ArrivalTally {
  readonly #clock: Clock;
  readonly #routers = new Map<ArrivalKind, Map<string, Counted>>();
  readonly #strangers = new Map<ArrivalKind, Map<string, Counted>>();
  /** The last counter and its key: nearly every packet is like the one before. */
  #last: Counted | undefined;
  #client: Client | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Our own test logins are not counted. `ahead` as in Arrived. */
  add(kind: ArrivalKind, address: string, client: Client | undefined, ahead: number | null = null): void {
    if (client?.id === null) return;
    if (this.#last?.kind !== kind || this.#last.address !== address || this.#client !== client) {
      this.#last = this.#findCounted(kind, address, client);
      this.#client = client;
    }
    if (!this.#last) return;
    this.#last.count++;
    this.#last.last = this.#clock();
    if (ahead !== null) this.#last.ahead = ahead;
  }

  #findCounted(kind: ArrivalKind, address: string, client: Client | undefined): Counted | undefined {
    const kinds = client ? this.#routers : this.#strangers;
    let all = kinds.get(kind);
    if (!all) {
      all = new Map();
      kinds.set(kind, all);
    }
    const nasId = client?.id ?? null;
    const known = all.get(address);
    if (known) {
      known.nasId = nasId;
      return known;
    }
    if (all.size >= (client ? MOST_ROUTERS : MOST_STRANGERS)) return undefined;
    const first = this.#clock();
    const counted: Counted = { kind, address, nasId, count: 0, first, last: first, ahead: null };
    all.set(address, counted);
    return counted;
  }

  /** Returns the counts and resets them. */
  take(): Arrived[] {
    const drained: Arrived[] = [];
    for (const kinds of [this.#routers, this.#strangers])
      for (const counted of kinds.values()) for (const one of counted.values()) drained.push(one);
    this.#routers.clear();
    this.#strangers.clear();
    this.#last = undefined;
    return drained;
  }
}
