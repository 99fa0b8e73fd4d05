import { authenticatorOf, type Packet } from "./packet.ts";

/** Seconds that a reply is repeated for the same bytes (RFC 5080 section 2.2.2). */
const LIFETIME = 10;
const MAX_ENTRIES = 65_536;

interface Entry {
  request: Buffer;
  /** undefined while the first request is being worked on. */
  reply: Buffer | undefined;
  at: number;
}

export type Seen =
  { kind: "new"; entry: Entry } | { kind: "repeat"; reply: Buffer | undefined } | { kind: "conflict" };

/**
 * Remembers requests by source address, port, identifier, code and Request Authenticator for ten seconds, so that a
 * retransmission gets the same bytes again without the work. Bounded: the oldest go first.
 */
export class Duplicates {
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** `at` in seconds of a clock that never goes back. */
  check(packet: Packet, source: string, at: number): Seen {
    const key = `${source} ${packet.identifier} ${packet.code} ${authenticatorOf(packet).toString("latin1")}`;
    const known = this.#entries.get(key);
    if (known && at - known.at < LIFETIME) {
      return known.request.equals(packet.bytes)
        ? { kind: "repeat", reply: known.reply }
        : { kind: "conflict" };
    }
    const entry: Entry = { request: packet.bytes, reply: undefined, at };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#evict(at);
    return { kind: "new", entry };
  }

  /** Forgets a request that was not answered, so that its retransmission is worked on again. */
  forget(entry: Entry): void {
    entry.at = Number.NEGATIVE_INFINITY;
  }

  #evict(at: number): void {
    for (const [key, entry] of this.#entries) {
      if (at - entry.at < LIFETIME && this.#entries.size <= MAX_ENTRIES) return;
      this.#entries.delete(key);
    }
  }
}
