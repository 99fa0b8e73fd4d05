import { randomFillSync } from "node:crypto";
import { MAX_PACKET } from "./packet.ts";

/*
 * Digests of several parts by Bun's one-shot functions, over a buffer that is kept: a node:crypto object costs up to three
 * times the digest, and a login needs five to fifteen digests.
 */

const HMAC_BLOCK = 64;
const MD5_LENGTH = 16;
const SHA1_LENGTH = 20;
const AUTHENTICATOR_AT = 4;
/** The most that is digested: an HMAC key, a packet and a secret. */
const gathered = new Uint8Array(HMAC_BLOCK + MAX_PACKET + 4096);
const wholeSha1 = Buffer.alloc(SHA1_LENGTH);
const views: (Uint8Array | undefined)[] = [];

export function md5(...parts: Parts): Buffer {
  const digest = Buffer.allocUnsafe(MD5_LENGTH);
  md5Into(digest, ...parts);
  return digest;
}

/** The parts to digest; named parameters, because a list would be an array for each digest. */
type Parts = [first: Uint8Array, second?: Uint8Array, third?: Uint8Array];

/** Writes the MD5 into 16 bytes that are kept for it. */
export function md5Into(digest: Buffer, first: Uint8Array, second?: Uint8Array, third?: Uint8Array): void {
  Bun.MD5.hash(gather(first, second, third), digest);
}

/** Writes as many first bytes of the SHA-1 as there is room for. */
export function sha1Into(digest: Buffer, first: Uint8Array, second?: Uint8Array, third?: Uint8Array): void {
  Bun.SHA1.hash(gather(first, second, third), wholeSha1);
  wholeSha1.copy(digest, 0, 0, digest.length);
}

/** The digest that the two functions below return, overwritten each time. */
const packetDigest = Buffer.alloc(MD5_LENGTH);

/**
 * MD5 over a packet, with `authenticator` in its authenticator field unless it is there already, then the secret (RFC 2865
 * section 3). The next call overwrites it.
 */
export function packetMd5(packet: Uint8Array, secret: Uint8Array, authenticator?: Uint8Array): Buffer {
  gathered.set(packet);
  if (authenticator) gathered.set(authenticator, AUTHENTICATOR_AT);
  gathered.set(secret, packet.length);
  Bun.MD5.hash(gatheredUntil(packet.length + secret.length), packetDigest);
  return packetDigest;
}

/**
 * HMAC-MD5 (RFC 2104) over a packet, with `authenticator` in its authenticator field unless it is there already, and the 16
 * bytes at `zeroAt` zero (RFC 3579 section 3.2). The next call overwrites it.
 */
export function packetHmac(
  packet: Uint8Array,
  secret: Uint8Array,
  { zeroAt, authenticator }: { zeroAt: number; authenticator?: Uint8Array | undefined },
): Buffer {
  const { inner, outer, outerDigest } = cachedHmacKey(secret);
  gathered.set(inner);
  gathered.set(packet, HMAC_BLOCK);
  if (authenticator) gathered.set(authenticator, HMAC_BLOCK + AUTHENTICATOR_AT);
  const start = HMAC_BLOCK + zeroAt;
  for (let at = start; at < start + MD5_LENGTH; at++) gathered[at] = 0;
  Bun.MD5.hash(gatheredUntil(HMAC_BLOCK + packet.length), outerDigest);
  Bun.MD5.hash(outer, packetDigest);
  return packetDigest;
}

/** The padded keys of both passes; the outer buffer has room for the inner digest after its key. */
interface HmacKey {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
  readonly outerDigest: Uint8Array;
}

/** Keys by the secret's buffer, which nobody changes; a secret that is gone takes its keys along. */
const hmacKeys = new WeakMap<Uint8Array, HmacKey>();

function cachedHmacKey(secret: Uint8Array): HmacKey {
  const known = hmacKeys.get(secret);
  if (known) return known;
  const prepared = prepareHmac(secret);
  hmacKeys.set(secret, prepared);
  return prepared;
}

function prepareHmac(key: Uint8Array): HmacKey {
  const block = new Uint8Array(HMAC_BLOCK);
  block.set(key.length > HMAC_BLOCK ? md5(key) : key);
  const outer = new Uint8Array(HMAC_BLOCK + MD5_LENGTH);
  outer.set(block.map((byte) => byte ^ 0x5c));
  return { inner: block.map((byte) => byte ^ 0x36), outer, outerDigest: outer.subarray(HMAC_BLOCK) };
}

function gather(first: Uint8Array, second?: Uint8Array, third?: Uint8Array): Uint8Array {
  gathered.set(first);
  let end = first.length;
  if (second) {
    gathered.set(second, end);
    end += second.length;
  }
  if (third) {
    gathered.set(third, end);
    end += third.length;
  }
  return gatheredUntil(end);
}

/** A prefix of `gathered`. Views are cached, because a buffer tracks each of its views until the next collection. */
function gatheredUntil(end: number): Uint8Array {
  return (views[end] ??= gathered.subarray(0, end));
}

const pool = Buffer.alloc(4096);
let unused = pool.length;

/** Unguessable bytes, 64 at most, from a pool that is filled in larger blocks. */
export function unguessable(length: number): Buffer {
  if (unused + length > pool.length) {
    randomFillSync(pool);
    unused = 0;
  }
  const bytes = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i++, unused++) {
    bytes[i] = pool[unused] ?? 0;
    // bytes already given out must not remain in memory
    pool[unused] = 0;
  }
  return bytes;
}
