import type { Seconds } from "../../core/time/time.ts";

/** Wrong codes of a device in a minute, after which none of it is looked at until the minute is over. */
const OF_DEVICE = 5;
/** Wrong codes at a router in a minute that staff are told of. */
export const OF_ROUTER = 100;
const MINUTE = 60;
const MAX_DEVICES = 50_000;

interface Counted {
  readonly since: Seconds;
  count: number;
}

interface Guesser extends Counted {
  /** A digest of its last wrong code: who asks for the same again, as routers do by themselves, guesses no more for that. */
  last: number;
}

/**
 * Counts wrong codes, each device and router by a minute of its own from the first one on. Bounded memory: devices are kept in two
 * generations, and the older one is forgotten as a whole; who invents that many devices is seen at its router.
 */
export class Guesses {
  #newer = new Map<string, Guesser>();
  #older = new Map<string, Guesser>();
  /** When the newer generation began. */
  #begun = 0;
  readonly #routers = new Map<number, Counted>();

  /** Whether anybody can have to wait; mostly nobody guesses. */
  get areAny(): boolean {
    return this.#newer.size > 0;
  }

  /** Whether a device has tried so many that it has to wait. */
  isHeld(device: string, now: Seconds): boolean {
    return (this.#of(device, now)?.count ?? 0) >= OF_DEVICE;
  }

  /** Counts a wrong code. True for the one that makes too many at its router, once a minute. */
  add(device: string, code: string, { routerId, now }: { routerId: number; now: Seconds }): boolean {
    const last = Bun.hash.xxHash32(code);
    const known = this.#of(device, now);
    if (known?.last === last) return false;
    if (known) {
      known.count++;
      known.last = last;
    } else {
      this.#forgetOld(now);
      this.#newer.set(device, { since: now, count: 1, last });
    }
    const router = this.#routers.get(routerId);
    if (router && isWithin(router, now)) return ++router.count === OF_ROUTER;
    this.#routers.set(routerId, { since: now, count: 1 });
    return false;
  }

  #of(device: string, now: Seconds): Guesser | undefined {
    const known = this.#newer.get(device) ?? this.#older.get(device);
    return known && isWithin(known, now) ? known : undefined;
  }

  /** What stands in the older generation is a minute old by then, unless there are too many. */
  #forgetOld(now: Seconds): void {
    this.#begun = Math.min(this.#begun, now); // a clock that was set back
    if (now - this.#begun < MINUTE && this.#newer.size < MAX_DEVICES) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#begun = now;
  }
}

function isWithin({ since }: Counted, now: Seconds): boolean {
  return since <= now && now - since < MINUTE;
}
