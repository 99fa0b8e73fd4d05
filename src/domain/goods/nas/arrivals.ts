import type { Seconds } from "../../core/time/time.ts";

export type ArrivalKind =
  | "signed"
  | "unsigned"
  | "accounting"
  | "status"
  | "repeated"
  | "wrong_secret"
  | "unsigned_dropped"
  | "wrong_port"
  | "malformed"
  | "unknown";

export const droppedKinds = ["wrong_secret", "unsigned_dropped", "wrong_port", "malformed"] as const;
export type DroppedKind = (typeof droppedKinds)[number];

export interface Seen {
  readonly count: number;
  readonly first: Seconds;
  readonly last: Seconds;
}

/** Arrivals of a kind and address since the last report. */
export interface Arrived extends Seen {
  readonly kind: ArrivalKind;
  readonly address: string;
  /** null: unknown address. */
  readonly nasId: number | null;
  /** Seconds that the router's clock is ahead, if known. */
  readonly ahead: number | null;
}

export interface SeenRouter {
  readonly kinds: ReadonlyMap<ArrivalKind, Seen>;
  /** The newest last. */
  readonly addresses: readonly string[];
  readonly clock: { readonly ahead: number; readonly at: Seconds } | null;
}

export interface Stranger extends Seen {
  readonly address: string;
}

interface Entry {
  nasId: number | null;
  readonly kinds: Map<ArrivalKind, Seen>;
  clock: SeenRouter["clock"];
}

const MOST_ROUTERS = 4096;
const MOST_STRANGERS = 256;

/** Arrivals by address, in bounded memory, for diagnosing new routers. RADIUS threads report once a second. */
export class Arrivals {
  /** The latest is last. */
  readonly #routers = new Map<string, Entry>();
  readonly #strangers = new Map<string, Entry>();

  get size(): { routers: number; strangers: number } {
    return { routers: this.#routers.size, strangers: this.#strangers.size };
  }

  add(batch: readonly Arrived[]): void {
    for (const arrived of batch) this.#add(arrived);
  }

  ofRouter(nasId: number): SeenRouter {
    const kinds = new Map<ArrivalKind, Seen>();
    const addresses: string[] = [];
    let clock: SeenRouter["clock"] = null;
    for (const [address, entry] of this.#routers) {
      if (entry.nasId !== nasId) continue;
      addresses.push(address);
      for (const [kind, seen] of entry.kinds) kinds.set(kind, together(kinds.get(kind), seen));
      if (entry.clock && entry.clock.at >= (clock?.at ?? 0)) clock = entry.clock;
    }
    return { kinds, addresses, clock };
  }

  /** Unknown addresses, the newest first. */
  strangers(since: Seconds): Stranger[] {
    return [...this.#strangers]
      .flatMap(([address, { kinds }]) => {
        const seen = kinds.get("unknown");
        return seen && seen.last >= since ? [{ address, ...seen }] : [];
      })
      .reverse();
  }

  #add({ kind, address, nasId, ahead, count, first, last }: Arrived): void {
    const entries = nasId === null ? this.#strangers : this.#routers;
    // an address may become a router's, or stop being one
    (nasId === null ? this.#routers : this.#strangers).delete(address);
    const known = entries.get(address);
    const entry = known?.nasId === nasId ? known : { nasId, kinds: new Map(), clock: null };
    entry.kinds.set(kind, together(entry.kinds.get(kind), { count, first, last }));
    if (ahead !== null) entry.clock = { ahead, at: last };
    entries.delete(address);
    entries.set(address, entry);
    const [oldest] = entries.keys();
    const most = nasId === null ? MOST_STRANGERS : MOST_ROUTERS;
    if (entries.size > most && oldest !== undefined) entries.delete(oldest);
  }
}

function together(one: Seen | undefined, other: Seen): Seen {
  if (!one) return other;
  return {
    count: one.count + other.count,
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
  };
}
