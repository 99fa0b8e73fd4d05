import { md5Into } from "../packet/digests.ts";

const BLOCK = 16;
const MAX_PASSWORD = 128;

/**
 * The clear bytes of a User-Password without its NUL padding (RFC 2865 section 5.2); undefined unless it is 16 to 128 bytes in
 * blocks of 16. A wrong secret yields other bytes, never an error.
 */
export function decryptPassword(
  hidden: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): Buffer | undefined {
  if (hidden.length < BLOCK || hidden.length > MAX_PASSWORD || hidden.length % BLOCK !== 0) return undefined;
  unhideInto(opened, hidden, secret, requestAuthenticator);
  let end = hidden.length;
  while (end > 0 && opened[end - 1] === 0) end--;
  const password = Buffer.allocUnsafe(end);
  opened.copy(password, 0, 0, end);
  return password;
}

/** Encrypts a User-Password of up to 128 bytes (RFC 2865 section 5.2). An empty one is one block of NULs. */
export function encryptPassword(
  password: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): Buffer {
  if (password.length > MAX_PASSWORD) throw new RangeError(`a password has at most ${MAX_PASSWORD} bytes`);
  const hidden = Buffer.alloc(Math.max(BLOCK, Math.ceil(password.length / BLOCK) * BLOCK));
  hidden.set(password);
  hide(hidden, 0, secret, requestAuthenticator);
  return hidden;
}

/** Encrypts blocks of 16 bytes in place, from `from` to the end: each is XORed with MD5(secret, previous encrypted block) (RFC 2865 section 5.2). */
export function hide(bytes: Buffer, from: number, secret: Uint8Array, initial: Uint8Array): void {
  for (let at = from; at < bytes.length; at += BLOCK)
    xor(bytes, bytes, at, secret, at === from ? initial : blockBefore(bytes, at));
}

export function unhide(hidden: Uint8Array, secret: Uint8Array, initial: Uint8Array): Buffer {
  const clear = Buffer.allocUnsafe(hidden.length);
  unhideInto(clear, hidden, secret, initial);
  return clear;
}

function unhideInto(clear: Buffer, hidden: Uint8Array, secret: Uint8Array, initial: Uint8Array): void {
  for (let at = 0; at < hidden.length; at += BLOCK)
    xor(clear, hidden, at, secret, at === 0 ? initial : blockBefore(hidden, at));
}

// kept, because a new array per login costs more than the work on it
const pad = Buffer.alloc(BLOCK);
const opened = Buffer.alloc(MAX_PASSWORD);
const before = Buffer.alloc(BLOCK);

function blockBefore(bytes: Uint8Array, at: number): Buffer {
  for (let i = 0; i < BLOCK; i++) before[i] = bytes[at - BLOCK + i] ?? 0;
  return before;
}

function xor(to: Buffer, from: Uint8Array, at: number, secret: Uint8Array, key: Uint8Array): void {
  md5Into(pad, secret, key);
  for (let i = 0; i < BLOCK; i++) to[at + i] = (from[at + i] ?? 0) ^ (pad[i] ?? 0);
}
