import { randomBytes } from "node:crypto";
import { Attribute } from "../packet/numbers.ts";
import { has, HEADER, integer, MAX_PACKET, type Packet } from "../packet/packet.ts";

const START = 1;
/** Seconds for which a Start is remembered, and up to twice as long. */
const KEPT = 10;
/** Starts of a router that are remembered, and up to twice as many: 400 kB. */
const MOST = 8192;
const MOST_ROUTERS = 256;
/** Starts of all routers together, 13 MB; beyond it they begin anew, which asks the books more often. */
const MOST_IN_ALL = 262_144;
/** Random, so that nobody can make one Start pass for another. */
const [SEED = 0, OTHER_SEED = 0] = new Uint32Array(randomBytes(8).buffer);

const saying = Buffer.alloc(MAX_PACKET);
/** Views of `saying` by length. */
const views: (Buffer | undefined)[] = [];

interface Remembered {
  young: Set<number>;
  old: Set<number>;
  /** Of the clock that `has` is given. */
  since: number;
}

/**
 * What a Start says, as 53 bits: of two in a router's memory one would pass for the other once in 10^12. Undefined of anything
 * else, and of a Start without a Class, by which alone it is no other session's.
 */
export function hashStart(packet: Packet): number | undefined {
  if (integer(packet, Attribute["Acct-Status-Type"]) !== START || !has(packet, Attribute.Class))
    return undefined;
  const { bytes } = packet;
  let from = HEADER;
  let length = 0;
  for (let at = HEADER; at < bytes.length;) {
    const end = at + (bytes[at + 1] ?? bytes.length);
    if (changesBySending(bytes[at])) {
      length += bytes.copy(saying, length, from, at);
      from = end;
    }
    at = end;
  }
  length += bytes.copy(saying, length, from, bytes.length);
  const said = (views[length] ??= saying.subarray(0, length));
  return Bun.hash.xxHash32(said, SEED) * 2 ** 21 + (Bun.hash.xxHash32(said, OTHER_SEED) >>> 11);
}

/** What a router changes in a Start that it sends again under a new identifier. */
function changesBySending(type: number | undefined): boolean {
  return (
    type === Attribute["Acct-Delay-Time"] ||
    type === Attribute["Event-Timestamp"] ||
    type === Attribute["Message-Authenticator"]
  );
}

/**
 * Starts that were just committed, by router. When many lines come back at once they are acknowledged later than routers wait,
 * and come again under new identifiers, which `Duplicates` takes for new requests: these are answered without asking the books.
 */
export class BookedStarts {
  readonly #routers = new Map<string, Remembered>();
  #held = 0;

  /** Starts that are remembered, of all routers. */
  get held(): number {
    return this.#held;
  }

  /** `now`: seconds of a clock that never goes back. */
  has(router: string, saying: number, now: number): boolean {
    const known = this.#routers.get(router);
    if (!known) return false;
    this.#age(known, now);
    return known.young.has(saying) || known.old.has(saying);
  }

  add(router: string, saying: number, now: number): void {
    let known = this.#routers.get(router);
    if (!known) {
      if (this.#routers.size >= MOST_ROUTERS) this.#clear();
      known = { young: new Set(), old: new Set(), since: now };
      this.#routers.set(router, known);
    }
    this.#age(known, now);
    const before = known.young.size;
    known.young.add(saying);
    this.#held += known.young.size - before;
    if (this.#held > MOST_IN_ALL) this.#clear();
  }

  /** Of a router that restarted: what it starts anew is another session. */
  forget(router: string): void {
    const known = this.#routers.get(router);
    if (known) this.#held -= known.young.size + known.old.size;
    this.#routers.delete(router);
  }

  #clear(): void {
    this.#routers.clear();
    this.#held = 0;
  }

  #age(known: Remembered, now: number): void {
    if (known.young.size < MOST && now - known.since < KEPT) return;
    this.#held -= known.old.size;
    const isPast = now - known.since >= 2 * KEPT;
    if (isPast) this.#held -= known.young.size;
    known.old = isPast ? new Set() : known.young;
    known.young = new Set();
    known.since = now;
  }
}
