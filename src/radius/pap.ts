import { md5 } from "./digests.ts";

const BLOCK = 16;
const MAX_PASSWORD = 128;

/**
 * The clear bytes of a User-Password without its padding of NULs (RFC 2865 section 5.2); undefined when the attribute is
 * not 16 to 128 bytes in blocks of 16. A wrong secret yields other bytes, never an error.
 */
export function decryptPassword(
  hidden: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): Buffer | undefined {
  if (hidden.length < BLOCK || hidden.length > MAX_PASSWORD || hidden.length % BLOCK !== 0) return undefined;
  const clear = unhide(hidden, secret, requestAuthenticator);
  let end = clear.length;
  while (end > 0 && clear[end - 1] === 0) end--;
  // copied, as a view of a small buffer costs more than its bytes
  const password = Buffer.allocUnsafe(end);
  clear.copy(password, 0, 0, end);
  return password;
}

/** The User-Password of up to 128 bytes of clear password (RFC 2865 section 5.2). An empty one is one block of NULs. */
export function encryptPassword(
  password: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): Buffer {
  if (password.length > MAX_PASSWORD) throw new RangeError(`a password has at most ${MAX_PASSWORD} bytes`);
  const padded = Buffer.alloc(Math.max(BLOCK, Math.ceil(password.length / BLOCK) * BLOCK));
  padded.set(password);
  return hide(padded, secret, requestAuthenticator);
}

/** Hides whole blocks of 16 bytes: each is XORed with MD5(secret, the hidden block before it) (RFC 2865 section 5.2). */
export function hide(clear: Uint8Array, secret: Uint8Array, initial: Uint8Array): Buffer {
  const hidden = Buffer.allocUnsafe(clear.length);
  for (let at = 0; at < clear.length; at += BLOCK) {
    xor(hidden, clear, at, secret, at === 0 ? initial : hidden.subarray(at - BLOCK, at));
  }
  return hidden;
}

/** Undoes `hide`. */
export function unhide(hidden: Uint8Array, secret: Uint8Array, initial: Uint8Array): Buffer {
  const clear = Buffer.allocUnsafe(hidden.length);
  for (let at = 0; at < hidden.length; at += BLOCK) {
    xor(clear, hidden, at, secret, at === 0 ? initial : hidden.subarray(at - BLOCK, at));
  }
  return clear;
}

function xor(to: Buffer, from: Uint8Array, at: number, secret: Uint8Array, before: Uint8Array): void {
  const pad = md5(secret, before);
  for (let i = 0; i < BLOCK; i++) to[at + i] = (from[at + i] ?? 0) ^ (pad[i] ?? 0);
}
