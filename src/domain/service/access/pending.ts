import { NONE, roomFor, ShortMemory } from "../../core/memory/short-memory.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { AccessReader, OpenSession } from "./reader.ts";

/** Seconds for which an Accept counts as a session without a Start. */
const WAIT_FOR_START = 60;
/** Seconds by which delayed accounting may date a Start before its Accept. */
const CLOCK_SLACK = 300;
/** Words of an entry: device and NAS as hashes, length and bytes of the Class. */
const STATION = 0;
const NAS = 1;
const LENGTH = 2;
const CLASS = 3;
const LONGEST_CLASS = 40;
const SIZE = { most: 131_072, words: CLASS + LONGEST_CLASS / 4 };
/** The station of a login that names no device. */
const NOBODY = 0;
const MAX_ADDRESSES = 10_000;

export const roomForAccepts = (threads?: number) => roomFor(SIZE, threads);

export interface Accepted {
  /** Of the newest Accept; copied. */
  class: Uint8Array;
  /** Identifies the device: its MAC address, else the Calling-Station-Id as sent. */
  station: string | undefined;
  nasAddress: string;
  at: Seconds;
}

/** Accepts without a Start yet, of all threads, so that two simultaneous logins cannot both pass. Bounded: the oldest are forgotten. */
export class PendingAccepts {
  readonly #memory: ShortMemory;
  readonly #station = { name: "", hash: NOBODY };
  readonly #addresses = new Map<string, number>();

  /** `who` as in ShortMemory. */
  constructor(room = roomForAccepts(), who?: number) {
    this.#memory = new ShortMemory(room, SIZE, who);
  }

  /**
   * Other devices accepted in the last minute without a Start. Without a Calling-Station-Id a second device looks like a retry,
   * so such an Accept does not block the NAS's next one. Other threads have to wait with the subscriber until `settle`.
   */
  others(
    reader: Pick<AccessReader, "hasStarted">,
    subscriberId: number,
    open: readonly OpenSession[],
    { station, nasAddress, now }: { station: string | undefined; nasAddress: string; now: Seconds },
  ): number {
    const memory = this.#memory;
    memory.hold(subscriberId);
    let others = 0;
    let place = NONE;
    while ((place = memory.find(subscriberId, place)) !== NONE) {
      const at = memory.end(place) - WAIT_FOR_START;
      if (now - at >= WAIT_FOR_START || at > now) continue;
      if (this.#isFrom(place, this.#hashStation(station), this.#hashAddress(nasAddress))) continue;
      if (!this.#isOpen(place, open) && !this.#hasStarted(reader, subscriberId, place, at)) others++;
    }
    return others;
  }

  /** Remembers an Accept; it replaces an earlier one of the same device on the NAS. */
  add(subscriberId: number, { class: sessionClass, station, nasAddress, at }: Accepted): void {
    const memory = this.#memory;
    const device = this.#hashStation(station);
    const nas = this.#hashAddress(nasAddress);
    memory.hold(subscriberId);
    let place = memory.find(subscriberId);
    while (place !== NONE && !this.#isFrom(place, device, nas)) place = memory.find(subscriberId, place);
    if (place === NONE) place = memory.take(subscriberId, at);
    memory.setEnd(place, at + WAIT_FOR_START);
    memory.setWord(place, STATION, device);
    memory.setWord(place, NAS, nas);
    memory.setWord(place, LENGTH, sessionClass.length);
    memory.setBytes(place, CLASS, sessionClass);
  }

  /** After a login, whatever came of it. */
  settle(): void {
    this.#memory.release();
  }

  #isFrom(place: number, station: number, nas: number): boolean {
    return this.#memory.word(place, STATION) === station && this.#memory.word(place, NAS) === nas;
  }

  /** Whether an Accept's session is open, by device: not every NAS returns the Class. */
  #isOpen(place: number, open: readonly OpenSession[]): boolean {
    return open.some(
      ({ mac, nasAddress }) =>
        mac !== null && this.#isFrom(place, this.#hashStation(mac), this.#hashAddress(nasAddress)),
    );
  }

  #hasStarted(
    reader: Pick<AccessReader, "hasStarted">,
    subscriberId: number,
    place: number,
    at: Seconds,
  ): boolean {
    const sessionClass = this.#memory.bytes(place, CLASS, this.#memory.word(place, LENGTH));
    return reader.hasStarted(subscriberId, sessionClass, at - CLOCK_SLACK);
  }

  /** A login asks twice. */
  #hashStation(station: string | undefined): number {
    if (station === undefined) return NOBODY;
    if (this.#station.name !== station) {
      this.#station.name = station;
      this.#station.hash = this.#memory.hash(station);
    }
    return this.#station.hash;
  }

  /** Routers are few. */
  #hashAddress(nasAddress: string): number {
    const known = this.#addresses.get(nasAddress);
    if (known !== undefined) return known;
    if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.clear();
    const hash = this.#memory.hash(nasAddress);
    this.#addresses.set(nasAddress, hash);
    return hash;
  }
}
