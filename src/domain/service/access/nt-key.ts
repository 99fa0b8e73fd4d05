import { encryptBlock, prepareKey, SCHEDULE_WORDS } from "./des.ts";

/**
 * What MS-CHAP makes of an NT hash whatever the challenge is, so that it is made once for each password: the schedules of its
 * three DES keys, and its own hash. Takes about 600 bytes of memory.
 */
export class NtKey {
  readonly #schedules = new Int32Array(3 * SCHEDULE_WORDS);
  /** MD4 of the NT hash: what we prove ourselves by, and derive keys from (RFC 2759 section 8.4, HashNtPasswordHash). */
  readonly hashHash = Buffer.alloc(16);

  constructor(ntHash: Uint8Array) {
    for (let part = 0; part < 3; part++) prepareKey(ntHash, 7 * part, this.#schedules, SCHEDULE_WORDS * part);
    Bun.MD4.hash(ntHash, this.hashHash);
  }

  /** The 24 bytes of NT-Response: the challenge of 8 bytes under the three parts of the hash (RFC 2759 section 8.5). */
  respondInto(response: Uint8Array, challenge: Uint8Array): void {
    for (let part = 0; part < 3; part++)
      encryptBlock(this.#schedules, SCHEDULE_WORDS * part, challenge, response, 8 * part);
  }
}
