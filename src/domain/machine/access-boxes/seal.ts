import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const VERSION = 1;
const HEADER = 1 + 4 + 6 + 6 + 1;
const NONCE = 12;
const TAG = 16;

/** The order of records: the higher pair wins, whenever it arrives. */
export interface Pair {
  readonly epoch: number;
  readonly number: number;
}

export interface Head extends Pair {
  readonly keyNumber: number;
  /** Deleted. */
  readonly isGone: boolean;
}

export function isHigher(a: Pair, b: Pair): boolean {
  return a.epoch === b.epoch ? a.number > b.number : a.epoch > b.epoch;
}

/** Why bytes are no record. */
export class SealError extends Error {
  override name = "SealError";
}

/** undefined: not readable here. */
type FindKey = (subject: string) => Uint8Array | undefined;

/**
 * Encrypts replicated records under their subject's key (see KeyRing): AES-256-GCM, bound to head and subject, so that no
 * writer of the bucket can replay or swap records. Layout: version, key number (4 bytes), epoch (6), number (6), gone (1),
 * nonce (12), tag (16), body.
 */
export class RecordSeal {
  readonly keyNumber: number;
  readonly #findKey: FindKey;

  /** One key of 32 bytes, or one by subject. */
  constructor(key: Uint8Array | FindKey, keyNumber: number) {
    this.#findKey = typeof key === "function" ? key : () => key;
    this.keyNumber = keyNumber;
  }

  has(subject: string): boolean {
    return this.#findKey(subject) !== undefined;
  }

  #key(subject: string): Uint8Array {
    const key = this.#findKey(subject);
    if (!key) throw new SealError(`${subject} is not for this box`);
    return key;
  }

  seal(subject: string, header: Omit<Head, "keyNumber">, body: string): Buffer {
    const head = packHead(this.keyNumber, header);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", this.#key(subject), nonce);
    cipher.setAAD(Buffer.concat([head, Buffer.from(subject)]));
    const sealed = Buffer.concat([cipher.update(body, "utf8"), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws SealError for another key, another subject or changed bytes. */
  open(subject: string, bytes: Uint8Array): string {
    const { keyNumber } = parseHead(bytes);
    if (keyNumber !== this.keyNumber)
      throw new SealError(`sealed under the boxes' key ${keyNumber}, and this box has key ${this.keyNumber}`);
    const decipher = createDecipheriv(
      "aes-256-gcm",
      this.#key(subject),
      bytes.subarray(HEADER, HEADER + NONCE),
    );
    decipher.setAuthTag(bytes.subarray(HEADER + NONCE, HEADER + NONCE + TAG));
    decipher.setAAD(Buffer.concat([bytes.subarray(0, HEADER), Buffer.from(subject)]));
    try {
      const body = decipher.update(bytes.subarray(HEADER + NONCE + TAG));
      decipher.final(); // throws unless the tag is theirs
      return body.toString("utf8");
    } catch (cause) {
      throw new SealError("was not sealed by the books of these boxes", { cause });
    }
  }
}

export function packHead(keyNumber: number, { epoch, number, isGone }: Omit<Head, "keyNumber">): Buffer {
  const head = Buffer.alloc(HEADER);
  head.writeUInt8(VERSION, 0);
  head.writeUInt32BE(keyNumber, 1);
  head.writeUIntBE(epoch, 5, 6);
  head.writeUIntBE(number, 11, 6);
  head.writeUInt8(isGone ? 1 : 0, 17);
  return head;
}

/** The head, unverified: `RecordSeal.open` verifies it. Throws SealError. */
export function parseHead(bytes: Uint8Array): Head {
  if (bytes.length < HEADER + NONCE + TAG || bytes[0] !== VERSION)
    throw new SealError("is no record of this version");
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, HEADER);
  return {
    keyNumber: head.readUInt32BE(1),
    epoch: head.readUIntBE(5, 6),
    number: head.readUIntBE(11, 6),
    isGone: head.readUInt8(17) === 1,
  };
}
