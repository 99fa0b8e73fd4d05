import { NONE, roomFor, ShortMemory } from "../../core/memory/short-memory.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Wrong codes of a device in a minute, after which it is ignored until the minute ends. */
const OF_DEVICE = 5;
/** Wrong codes at a router in a minute that are reported. */
export const OF_ROUTER = 100;
const MINUTE = 60;
/** Words of an entry: the device's other hash, its wrong codes, and a hash of the last one: a repeated one is a router's retry, not a guess. */
const DEVICE = 0;
const COUNT = 1;
const LAST = 2;
const SIZE = { most: 98_304, words: 3 };

export const roomForGuesses = (threads?: number) => roomFor(SIZE, threads);

/** Two devices seldom have the same key, and hardly ever both. */
interface HashedDevice {
  readonly key: number;
  readonly other: number;
}

interface Counted {
  readonly since: Seconds;
  count: number;
}

/**
 * Counts wrong codes per device, of all threads, and per router in minutes from the first one. Bounded: whoever invents more devices than
 * are remembered is noticed at the router, whose packets all come to one thread.
 */
export class Guesses {
  readonly #memory: ShortMemory;
  readonly #routers = new Map<number, Counted>();

  /** `who` as in ShortMemory. */
  constructor(room = roomForGuesses(), who?: number) {
    this.#memory = new ShortMemory(room, SIZE, who);
  }

  /** False when nobody is guessing, the usual case. */
  get areAny(): boolean {
    return this.#memory.hasAny;
  }

  /** Whether a device has to wait. */
  isHeld(device: string, now: Seconds): boolean {
    const place = this.#findPlace(this.#hashDevice(device));
    return place !== NONE && this.#isCounting(place, now) && this.#memory.word(place, COUNT) >= OF_DEVICE;
  }

  /** Counts a wrong code. True for the one that exceeds the router's limit, once a minute. */
  add(device: string, code: string, { routerId, now }: { routerId: number; now: Seconds }): boolean {
    const memory = this.#memory;
    const hashed = this.#hashDevice(device);
    memory.hold(hashed.key);
    const isNew = this.#count(hashed, memory.hash(code), now);
    memory.release();
    if (!isNew) return false;
    const router = this.#routers.get(routerId);
    if (router && isWithin(router.since, now)) return ++router.count === OF_ROUTER;
    this.#routers.set(routerId, { since: now, count: 1 });
    return false;
  }

  /** Whether it is another code than the device's last. */
  #count(device: HashedDevice, code: number, now: Seconds): boolean {
    const memory = this.#memory;
    const known = this.#findPlace(device);
    const isCounting = known !== NONE && this.#isCounting(known, now);
    if (isCounting && memory.word(known, LAST) === code) return false;
    const place = known === NONE ? memory.take(device.key, now) : known;
    memory.setWord(place, DEVICE, device.other);
    memory.setWord(place, COUNT, isCounting ? memory.word(place, COUNT) + 1 : 1);
    memory.setWord(place, LAST, code);
    if (!isCounting) memory.setEnd(place, now + MINUTE);
    return true;
  }

  #findPlace({ key, other }: HashedDevice): number {
    const memory = this.#memory;
    let place = memory.find(key);
    while (place !== NONE && memory.word(place, DEVICE) !== other) place = memory.find(key, place);
    return place;
  }

  #hashDevice(device: string): HashedDevice {
    return { key: this.#memory.hash(device), other: Bun.hash.crc32(device) };
  }

  #isCounting(place: number, now: Seconds): boolean {
    return isWithin(this.#memory.end(place) - MINUTE, now);
  }
}

function isWithin(since: Seconds, now: Seconds): boolean {
  return since <= now && now - since < MINUTE;
}
