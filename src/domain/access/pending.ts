import type { Seconds } from "../time.ts";
import type { AccessReader, OpenSession } from "./reader.ts";

/** Seconds that an Accept counts as a session although no Start has come (radius.md, Access-Request). */
const WAIT_FOR_START = 60;
/** Delayed accounting may date a Start before its Accept. */
const CLOCK_SLACK = 300;
const MAX_SUBSCRIBERS = 100_000;

interface Accepted {
  class: Uint8Array;
  mac: string | undefined;
  /** What tells devices apart: the MAC address, else the Calling-Station-Id as sent. */
  station: string | undefined;
  nasAddress: string;
  at: Seconds;
}

/** Accepts that no Start has followed yet, so that two logins at once cannot both slip through. Bounded memory. */
export class PendingAccepts {
  readonly #bySubscriber = new Map<number, Accepted[]>();

  /**
   * How many other devices were accepted in the last minute and have no Start yet. Without a Calling-Station-Id nothing
   * tells a second device from a repeated try, so such an Accept does not stand in the way of its NAS's next such login.
   */
  others(
    reader: AccessReader,
    subscriberId: number,
    open: readonly OpenSession[],
    { station, nasAddress, now }: { station: string | undefined; nasAddress: string; now: Seconds },
  ): number {
    const accepted = this.#bySubscriber.get(subscriberId);
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
    const known = this.#bySubscriber.get(subscriberId);
    const others = known?.filter(
      (one) =>
        accept.at - one.at < WAIT_FOR_START &&
        (one.station !== accept.station || one.nasAddress !== accept.nasAddress),
    );
    // at the end of the map again: the subscriber that is silent longest is the first to be forgotten
    if (known) this.#bySubscriber.delete(subscriberId);
    this.#bySubscriber.set(subscriberId, others ? [...others, accept] : [accept]);
    if (this.#bySubscriber.size > MAX_SUBSCRIBERS) {
      const oldest = this.#bySubscriber.keys().next();
      if (!oldest.done) this.#bySubscriber.delete(oldest.value);
    }
  }
}

/** Whether the session of an Accept is open, by its device: not every NAS sends the Class back. */
function isOpen({ mac, nasAddress }: Accepted, open: readonly OpenSession[]): boolean {
  return (
    mac !== undefined && open.some((session) => session.mac === mac && session.nasAddress === nasAddress)
  );
}
