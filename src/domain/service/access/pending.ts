import type { Seconds } from "../../core/time/time.ts";
import type { AccessReader, OpenSession } from "./reader.ts";

/** Seconds that an Accept counts as a session although no Start has come. */
const WAIT_FOR_START = 60;
/** Delayed accounting may date a Start before its Accept. */
const CLOCK_SLACK = 300;
const MAX_SUBSCRIBERS = 100_000;

export interface Accepted {
  /** Of the newest Accept; copied. */
  class: Uint8Array;
  mac: string | undefined;
  /** What tells devices apart: the MAC address, else the Calling-Station-Id as sent. */
  station: string | undefined;
  nasAddress: string;
  at: Seconds;
}

/**
 * Accepts that no Start has followed yet, so that two logins at once cannot both slip through. Bounded memory: they are kept
 * in two generations, and the older one is forgotten as a whole. A device that logs in again changes what is known of it
 * and leaves nothing behind for the collector.
 */
export class PendingAccepts {
  #newer = new Map<number, Accepted[]>();
  #older = new Map<number, Accepted[]>();
  /** When the newer generation began. */
  #begun = 0;

  /**
   * How many other devices were accepted in the last minute and have no Start yet. Without a Calling-Station-Id nothing
   * tells a second device from a repeated try, so such an Accept does not stand in the way of its NAS's next such login.
   */
  others(
    reader: Pick<AccessReader, "hasStarted">,
    subscriberId: number,
    open: readonly OpenSession[],
    { station, nasAddress, now }: { station: string | undefined; nasAddress: string; now: Seconds },
  ): number {
    const accepted = this.#of(subscriberId);
    if (!accepted) return 0;
    let others = 0;
    for (const one of accepted) {
      if (one.station === station && one.nasAddress === nasAddress) continue;
      const isRecent = now - one.at < WAIT_FOR_START && one.at <= now;
      if (isRecent && !isOpen(one, open) && !reader.hasStarted(subscriberId, one.class, one.at - CLOCK_SLACK))
        others++;
    }
    return others;
  }

  /** Remembers an Accept; the newest of a device on a NAS replaces the one before. */
  add(subscriberId: number, accept: Accepted): void {
    this.#forgetOld(accept.at);
    const known = this.#newer.get(subscriberId) ?? this.#rejuvenate(subscriberId);
    if (known && renew(known, accept)) return;
    const others = known?.filter(({ at }) => accept.at - at < WAIT_FOR_START) ?? [];
    this.#newer.set(subscriberId, [...others, { ...accept, class: Buffer.from(accept.class) }]);
  }

  #of(subscriberId: number): Accepted[] | undefined {
    return this.#newer.get(subscriberId) ?? this.#older.get(subscriberId);
  }

  #rejuvenate(subscriberId: number): Accepted[] | undefined {
    const known = this.#older.get(subscriberId);
    if (known) this.#newer.set(subscriberId, known);
    return known;
  }

  /** The older generation is at least as old as an Accept that counts no more, unless there are too many. */
  #forgetOld(now: Seconds): void {
    // a clock that was set back
    this.#begun = Math.min(this.#begun, now);
    if (now - this.#begun < WAIT_FOR_START && this.#newer.size < MAX_SUBSCRIBERS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#begun = now;
  }
}

/** Whether the device is among those that are known; what is known of it is then that of the new Accept. */
function renew(known: readonly Accepted[], newest: Accepted): boolean {
  for (const one of known) {
    if (one.station !== newest.station || one.nasAddress !== newest.nasAddress) continue;
    // a lease has a longer one than a dial-in of the same device
    if (one.class.length === newest.class.length) one.class.set(newest.class);
    else one.class = Buffer.from(newest.class);
    // the same text is not the same string, and what an old object is given outlives the next collection
    if (one.mac !== newest.mac) one.mac = newest.mac;
    one.at = newest.at;
    return true;
  }
  return false;
}

/** Whether the session of an Accept is open, by its device: not every NAS sends the Class back. */
function isOpen({ mac, nasAddress }: Accepted, open: readonly OpenSession[]): boolean {
  return (
    mac !== undefined && open.some((session) => session.mac === mac && session.nasAddress === nasAddress)
  );
}
