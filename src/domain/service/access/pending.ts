import type { Seconds } from "../../core/time/time.ts";
import type { AccessReader, OpenSession } from "./reader.ts";

/** Seconds for which an Accept counts as a session without a Start. */
const WAIT_FOR_START = 60;
/** Seconds by which delayed accounting may date a Start before its Accept. */
const CLOCK_SLACK = 300;
const MAX_SUBSCRIBERS = 100_000;

export interface Accepted {
  /** Of the newest Accept; copied. */
  class: Uint8Array;
  mac: string | undefined;
  /** Identifies the device: its MAC address, else the Calling-Station-Id as sent. */
  station: string | undefined;
  nasAddress: string;
  at: Seconds;
}

/**
 * Accepts without a Start yet, so that two simultaneous logins cannot both pass. Bounded: kept in two generations, the older of
 * which is dropped as a whole. A repeated login updates its entry in place, to spare the garbage collector.
 */
export class PendingAccepts {
  #newer = new Map<number, Accepted[]>();
  #older = new Map<number, Accepted[]>();
  #begun = 0;

  /**
   * Other devices accepted in the last minute without a Start. Without a Calling-Station-Id a second device looks like a retry,
   * so such an Accept does not block the NAS's next one.
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

  /** Remembers an Accept; it replaces an earlier one of the same device on the NAS. */
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

  /** The older generation has only expired Accepts, unless there were too many. */
  #forgetOld(now: Seconds): void {
    // a clock that was set back
    this.#begun = Math.min(this.#begun, now);
    if (now - this.#begun < WAIT_FOR_START && this.#newer.size < MAX_SUBSCRIBERS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#begun = now;
  }
}

/** Updates the entry of a known device, and says whether there was one. */
function renew(known: readonly Accepted[], newest: Accepted): boolean {
  for (const one of known) {
    if (one.station !== newest.station || one.nasAddress !== newest.nasAddress) continue;
    // a lease's Class is longer than that of a dial-in of the same device
    if (one.class.length === newest.class.length) one.class.set(newest.class);
    else one.class = Buffer.from(newest.class);
    // assigning an equal string anyway would keep the new string alive past the next collection
    if (one.mac !== newest.mac) one.mac = newest.mac;
    one.at = newest.at;
    return true;
  }
  return false;
}

/** Whether an Accept's session is open, by device: not every NAS returns the Class. */
function isOpen({ mac, nasAddress }: Accepted, open: readonly OpenSession[]): boolean {
  return (
    mac !== undefined && open.some((session) => session.mac === mac && session.nasAddress === nasAddress)
  );
}
