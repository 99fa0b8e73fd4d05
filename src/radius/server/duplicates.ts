import { randomBytes } from "node:crypto";
import type { Packet } from "../packet/packet.ts";

/** Seconds for which a reply is repeated for the same request (RFC 5080 section 2.2.2). */
const LIFETIME = 10;
const MAX_ENTRIES = 65_536;
const BUCKETS = 65_536;
/** Bytes reserved for a reply; longer ones, which are rare, are stored apart. */
const REPLY_ROOM = 256;
const NONE = -1;
/** Words of a key: Request Authenticator, code and identifier, address and port. */
const KEY = 6;
const MAX_ADDRESSES = 10_000;

/** The running number of a request; its slot is that number modulo MAX_ENTRIES. */
export type Entry = number;

export type Seen =
  { kind: "new"; entry: Entry } | { kind: "repeat"; reply: Buffer | undefined } | { kind: "conflict" };

/**
 * Remembers requests by source address, port, identifier, code and Request Authenticator for ten seconds, so that a
 * retransmission gets the same reply without the work. Bounded: the oldest are evicted. Stored in a few typed arrays: a Map
 * that always loses its oldest key costs 20 us a packet, and 65,536 objects cost the garbage collector 10 ms.
 */
export class Duplicates {
  /** The newest slot of each bucket, and for each slot the previous one in its bucket, or NONE. */
  readonly #newest = new Int32Array(BUCKETS).fill(NONE);
  readonly #before = new Int32Array(MAX_ENTRIES);
  readonly #keys = new Int32Array(MAX_ENTRIES * KEY);
  /** Of the whole packet, with a random seed: a collision would only repeat a reply instead of dropping the packet, never accept a login. */
  readonly #digests = new Uint32Array(MAX_ENTRIES);
  readonly #at = new Float64Array(MAX_ENTRIES);
  /** Not cleared: only what was written of it is read. */
  readonly #replies = Buffer.allocUnsafeSlow(MAX_ENTRIES * REPLY_ROOM);
  /** 0: no reply yet. */
  readonly #replyLengths = new Uint16Array(MAX_ENTRIES);
  readonly #longReplies = new Map<number, Buffer>();
  #oldest = 0;
  #next = 0;
  readonly #key = new Int32Array(KEY);
  /** Random factors and seeds, so that nobody can fill one bucket on purpose. */
  readonly #factors = Int32Array.from({ length: KEY }, () => randomBytes(4).readInt32LE() | 1);
  readonly #seed = randomBytes(4).readUInt32LE();
  readonly #addresses = new Map<string, number>();

  get size(): number {
    return this.#next - this.#oldest;
  }

  /** `at` in seconds of a monotonic clock. */
  check({ bytes }: Packet, { address, port }: { address: string; port: number }, at: number): Seen {
    const key = this.#key;
    for (let i = 0; i < 4; i++) key[i] = word(bytes, 4 + 4 * i);
    key[4] = (byte(bytes, 0) << 8) | byte(bytes, 1);
    key[5] = this.#hashAddress(address) ^ port;
    const digest = Bun.hash.xxHash32(bytes, this.#seed);
    const bucket = this.#findBucket(key, 0);
    const known = this.#find(bucket);
    if (known !== NONE && at - (this.#at[known] ?? 0) < LIFETIME)
      return this.#digests[known] === digest
        ? { kind: "repeat", reply: this.#replyAt(known) }
        : { kind: "conflict" };

    this.#evict(at);
    const entry = this.#next++;
    const place = entry % MAX_ENTRIES;
    for (let i = 0; i < KEY; i++) this.#keys[place * KEY + i] = key[i] ?? 0;
    this.#digests[place] = digest;
    this.#at[place] = at;
    this.#replyLengths[place] = 0;
    this.#before[place] = this.#newest[bucket] ?? NONE;
    this.#newest[bucket] = place;
    return { kind: "new", entry };
  }

  /** Stores a request's reply, unless it was evicted. */
  answer(entry: Entry, reply: Buffer): void {
    if (entry < this.#oldest) return;
    const place = entry % MAX_ENTRIES;
    this.#replyLengths[place] = reply.length;
    if (reply.length > REPLY_ROOM) this.#longReplies.set(place, reply);
    else reply.copy(this.#replies, place * REPLY_ROOM);
  }

  /** Forgets an unanswered request, so that its retransmission is handled again. */
  forget(entry: Entry): void {
    if (entry >= this.#oldest) this.#at[entry % MAX_ENTRIES] = Number.NEGATIVE_INFINITY;
  }

  /** The newest slot with this key. */
  #find(bucket: number): number {
    let place = this.#newest[bucket] ?? NONE;
    while (place !== NONE && !this.#isAt(place)) place = this.#before[place] ?? NONE;
    return place;
  }

  #isAt(place: number): boolean {
    for (let i = 0; i < KEY; i++) if (this.#keys[place * KEY + i] !== this.#key[i]) return false;
    return true;
  }

  #replyAt(place: number): Buffer | undefined {
    const length = this.#replyLengths[place] ?? 0;
    if (length === 0) return undefined;
    if (length > REPLY_ROOM) return this.#longReplies.get(place);
    return Buffer.from(this.#replies.subarray(place * REPLY_ROOM, place * REPLY_ROOM + length));
  }

  #evict(at: number): void {
    while (this.#oldest < this.#next) {
      const place = this.#oldest % MAX_ENTRIES;
      if (at - (this.#at[place] ?? 0) < LIFETIME && this.size < MAX_ENTRIES) return;
      this.#oldest++;
      if ((this.#replyLengths[place] ?? 0) > REPLY_ROOM) this.#longReplies.delete(place);
      this.#unlink(place);
    }
  }

  /** The oldest entry is the last of its bucket. */
  #unlink(place: number): void {
    const bucket = this.#findBucket(this.#keys, place * KEY);
    let at = this.#newest[bucket] ?? NONE;
    if (at === place) {
      this.#newest[bucket] = NONE;
      return;
    }
    while (at !== NONE && this.#before[at] !== place) at = this.#before[at] ?? NONE;
    if (at !== NONE) this.#before[at] = NONE;
  }

  #findBucket(keys: Int32Array, from: number): number {
    let sum = 0;
    for (let i = 0; i < KEY; i++) sum = (sum + Math.imul(keys[from + i] ?? 0, this.#factors[i] ?? 1)) | 0;
    return (sum >>> 8) % BUCKETS;
  }

  #hashAddress(address: string): number {
    const known = this.#addresses.get(address);
    if (known !== undefined) return known;
    if (this.#addresses.size >= MAX_ADDRESSES) this.#addresses.clear();
    const hash = Bun.hash.xxHash32(address, this.#seed);
    this.#addresses.set(address, hash);
    return hash;
  }
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (byte(bytes, at) << 24) | (byte(bytes, at + 1) << 16) | (byte(bytes, at + 2) << 8) | byte(bytes, at + 3)
  );
}
