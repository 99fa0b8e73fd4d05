import type { JetStreamManager } from "@nats-io/jetstream";
import { headOf, type RecordSeal, SealError } from "../domain/machine/access-boxes/seal.ts";
import { BUCKET, HEAD, KEYS, STREAM } from "./subjects.ts";

/** Records of others that are looked at, of those that came between two looks. */
const MOST = 500;
const PREFIX = `$KV.${BUCKET}.`;

/**
 * Finds what somebody else has put into the bucket. No box may; but nats-server writes its answer to whatever a box asks to where the box
 * wants it, and the keys of the bucket are known to all: what stood there is gone then.
 */
export class OtherHands {
  readonly #own = new Set<number>();
  #looked = 0;
  #isFirst = true;

  /** The books have put a record. */
  wrote(revision: number): void {
    if (revision > this.#looked) this.#own.add(revision);
  }

  /** Nothing up to that revision is looked at any more; what comes behind it may be of these books before they were started again. */
  begin(revision: number): void {
    this.#own.clear();
    this.#looked = revision;
    this.#isFirst = true;
  }

  /** Whether there is something that these books did not put, since the last look. */
  async areThere(manager: JetStreamManager, seal: RecordSeal): Promise<boolean> {
    const { state } = await manager.streams.info(STREAM);
    const { last_seq: last } = state;
    const unknown: number[] = [];
    for (let seq = this.#looked + 1; seq <= last; seq++) if (!this.#own.delete(seq)) unknown.push(seq);
    const isFirst = this.#isFirst;
    this.#looked = last;
    this.#isFirst = false;
    for (const seq of unknown.slice(-MOST)) {
      const message = await manager.streams.getMessage(STREAM, { seq });
      const key = message?.subject.slice(PREFIX.length) ?? "";
      // what a key of the boxes was sealed for nobody but its box can say; each is put anew at the beginning
      if (!message || (isFirst && key.startsWith(KEYS)) || isOfPrimary(key, message.data, seal)) continue;
      return true;
    }
    return false;
  }
}

/** Whether books may have put it: these, when nobody heard that they had, or others of this appliance. */
function isOfPrimary(key: string, bytes: Uint8Array, seal: RecordSeal): boolean {
  try {
    if (key.startsWith(KEYS)) return false;
    const { keyNumber } = headOf(bytes);
    if (key !== HEAD && keyNumber === seal.keyNumber) seal.open(key, bytes);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
