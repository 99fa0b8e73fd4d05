import type { JetStreamManager } from "@nats-io/jetstream";
import { parseHead, type RecordSeal, SealError } from "../domain/machine/access-boxes/seal.ts";
import { BUCKET, HEAD, KEYS, STREAM } from "./subjects.ts";

/** Most foreign records examined in one check. */
const MOST = 500;
const PREFIX = `$KV.${BUCKET}.`;

/**
 * Detects records in the bucket that the primary did not put. No access box may write there, but nats-server sends replies to
 * any subject a box names, and the bucket's keys are known: such a reply would overwrite a record.
 */
export class OtherHands {
  readonly #own = new Set<number>();
  #looked = 0;
  #isFirst = true;

  wrote(revision: number): void {
    if (revision > this.#looked) this.#own.add(revision);
  }

  /** Ignores everything up to that revision; what follows may be from before a restart of this primary. */
  begin(revision: number): void {
    this.#own.clear();
    this.#looked = revision;
    this.#isFirst = true;
  }

  /** Whether there are records that this primary did not put, since the last check. */
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
      // a sealed key can be opened by its own box only; all are put again at the start
      if (!message || (isFirst && key.startsWith(KEYS)) || isFromPrimary(key, message.data, seal)) continue;
      return true;
    }
    return false;
  }
}

/** Whether a primary may have put it: this one, unacknowledged, or an earlier one of this appliance. */
function isFromPrimary(key: string, bytes: Uint8Array, seal: RecordSeal): boolean {
  try {
    if (key.startsWith(KEYS)) return false;
    const { keyNumber } = parseHead(bytes);
    if (key !== HEAD && keyNumber === seal.keyNumber) seal.open(key, bytes);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
