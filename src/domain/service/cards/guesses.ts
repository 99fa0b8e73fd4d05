import type { Seconds } from "../../core/time/time.ts";

/** Wrong codes of a device in a minute, after which it is ignored until the minute ends. */
const OF_DEVICE = 5;
/** Wrong codes at a router in a minute that are reported. */
export const OF_ROUTER = 100;
const MINUTE = 60;
const MAX_DEVICES = 50_000;

interface Counted {
  readonly since: Seconds;
  count: number;
}

interface Guesser extends Counted {
  /** Hash of its last wrong code: a repeated one is a router's retry, not a guess. */
  last: number;
}

/**
 * Counts wrong codes per device and router in minutes from the first one. Bounded: devices are kept in two generations, the
 * older of which is dropped as a whole; whoever invents that many is noticed at the router.
 */
export class Guesses {
  #newer = new Map<string, Guesser>();
  #older = new Map<string, Guesser>();
  #begun = 0;
  readonly #routers = new Map<number, Counted>();

  /** False when nobody is guessing, the usual case. */
  get areAny(): boolean {
    return this.#newer.size > 0;
  }

  /** Whether a device has to wait. */
  isHeld(device: string, now: Seconds): boolean {
    return (this.#of(device, now)?.count ?? 0) >= OF_DEVICE;
  }

  /** Counts a wrong code. True for the one that exceeds the router's limit, once a minute. */
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

  /** The older generation is a minute old, unless there were too many. */
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
