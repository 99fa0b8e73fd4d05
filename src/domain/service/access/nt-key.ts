import { encryptBlock, prepareKey, SCHEDULE_WORDS } from "./des.ts";

/** The challenge-independent part of MS-CHAP, computed once per password: three DES key schedules and the hash of the NT hash. About 600 bytes. */
export class NtKey {
  readonly #schedules = new Int32Array(3 * SCHEDULE_WORDS);
  /** MD4 of the NT hash, for our proof and the MPPE keys (RFC 2759 section 8.4, HashNtPasswordHash). */
  readonly hashHash = Buffer.alloc(16);

  constructor(ntHash: Uint8Array) {
    for (let part = 0; part < 3; part++) prepareKey(ntHash, 7 * part, this.#schedules, SCHEDULE_WORDS * part);
    Bun.MD4.hash(ntHash, this.hashHash);
  }

  /** The 24-byte NT-Response to an 8-byte challenge (RFC 2759 section 8.5). */
  respondInto(response: Uint8Array, challenge: Uint8Array): void {
    for (let part = 0; part < 3; part++)
      encryptBlock(this.#schedules, SCHEDULE_WORDS * part, challenge, response, 8 * part);
  }
}
