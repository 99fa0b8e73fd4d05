import type { ArrivalKind, Arrived } from "../../domain/goods/nas/arrivals.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import type { Client } from "./clients.ts";

type Counted = { -readonly [K in keyof Arrived]: Arrived[K] };

/** Addresses a kind that are kept until they are taken, which happens each second: routers, and others. */
const MOST_ROUTERS = 1024;
const MOST_STRANGERS = 64;

/** Counts what arrives by kind and address, so that main is told once a second whatever comes; of a flood the rest is left out. */
export class ArrivalTally {
  readonly #clock: Clock;
  readonly #routers = new Map<ArrivalKind, Map<string, Counted>>();
  readonly #strangers = new Map<ArrivalKind, Map<string, Counted>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of this appliance itself nothing is kept. `ahead` as in Arrived. */
  add(kind: ArrivalKind, address: string, client: Client | undefined, ahead: number | null = null): void {
    if (client?.id === null) return;
    const kinds = client ? this.#routers : this.#strangers;
    let counted = kinds.get(kind);
    if (!counted) {
      counted = new Map();
      kinds.set(kind, counted);
    }
    const known = counted.get(address);
    const now = this.#clock();
    if (!known) {
      if (counted.size >= (client ? MOST_ROUTERS : MOST_STRANGERS)) return;
      counted.set(address, {
        ...{ kind, address, nasId: client?.id ?? null, count: 1 },
        ...{ first: now, last: now, ahead },
      });
      return;
    }
    known.count++;
    known.last = now;
    known.nasId = client?.id ?? null;
    if (ahead !== null) known.ahead = ahead;
  }

  /** All of it, which begins again. */
  take(): Arrived[] {
    const taken: Arrived[] = [];
    for (const kinds of [this.#routers, this.#strangers])
      for (const counted of kinds.values()) for (const one of counted.values()) taken.push(one);
    this.#routers.clear();
    this.#strangers.clear();
    return taken;
  }
}
