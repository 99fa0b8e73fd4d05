import { sha1Into, unguessable } from "../packet/digests.ts";
import { Microsoft, Vendor } from "../packet/numbers.ts";
import { encryptPassword, hide, unhide } from "./pap.ts";
import type { PacketWriter } from "../packet/writer.ts";

/** Keys alone (RouterOS), or with a policy of allowed or required, which Linux's pppd and accel-ppp need. */
export type Mppe = "keys" | "allowed" | "required";

/** Encryption-Allowed and Encryption-Required (RFC 2548 section 2.4.4). */
const POLICY = { allowed: 1, required: 2 } as const;
/** 40-bit and 128-bit keys (RFC 2548 section 2.4.5). */
const TYPES = 6;

/** Appends MS-MPPE-Encryption-Policy and -Types, without which such a NAS ignores the keys. */
export function writeMppePolicy(reply: PacketWriter, mppe: Mppe): void {
  if (mppe === "keys") return;
  reply
    .vendorInteger(Vendor.Microsoft, Microsoft["MS-MPPE-Encryption-Policy"], POLICY[mppe])
    .vendorInteger(Vendor.Microsoft, Microsoft["MS-MPPE-Encryption-Types"], TYPES);
}

/** Session keys from the server's view: `send` encrypts towards the subscriber. */
export interface MppeKeys {
  readonly send: Buffer;
  readonly recv: Buffer;
}

// The three functions below return the same buffers each time: use them before the next call. A new array per login would be most of the garbage collector's work.
const master = Buffer.alloc(16);
const keys: MppeKeys = { send: Buffer.alloc(16), recv: Buffer.alloc(16) };
const encrypted: MppeKeys = { send: Buffer.alloc(34), recv: Buffer.alloc(34) };

/** The first 16 bytes of SHA1(hash of the NT hash, NT-Response, constant) (RFC 3079 section 3.4, GetMasterKey). */
export function masterKey(hashHash: Uint8Array, ntResponse: Uint8Array): Buffer {
  sha1Into(master, hashHash, ntResponse, MASTER);
  return master;
}

/** The 128-bit session start keys of MS-CHAPv2, the server's view (RFC 3079 section 3.4, GetAsymmetricStartKey). */
export function mppeKeys(hashHash: Uint8Array, ntResponse: Uint8Array): MppeKeys {
  masterKey(hashHash, ntResponse);
  sha1Into(keys.send, master, FROM_SERVER);
  sha1Into(keys.recv, master, FROM_CLIENT);
  return keys;
}

/** The values of MS-MPPE-Send-Key and -Recv-Key, under two different salts (RFC 2548 section 2.4.2). */
export function encryptMppeKeys(
  { send, recv }: MppeKeys,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): MppeKeys {
  const salt = unguessable(2);
  encryptKeyInto(encrypted.send, send, { secret, requestAuthenticator, salt });
  salt[1] = (salt[1] ?? 0) ^ 1;
  encryptKeyInto(encrypted.recv, recv, { secret, requestAuthenticator, salt });
  return encrypted;
}

/** A salt with its top bit set, and the encrypted key with its length in front (RFC 2548 section 2.4.2). */
export function encryptKey(
  key: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
  salt: Uint8Array,
): Buffer {
  const value = Buffer.allocUnsafe(2 + Math.ceil((key.length + 1) / 16) * 16);
  encryptKeyInto(value, key, { secret, requestAuthenticator, salt });
  return value;
}

function encryptKeyInto(
  value: Buffer,
  key: Uint8Array,
  {
    secret,
    requestAuthenticator,
    salt,
  }: { secret: Uint8Array; requestAuthenticator: Uint8Array; salt: Uint8Array },
): void {
  initial.set(requestAuthenticator);
  initial[16] = (salt[0] ?? 0) | 0x80;
  initial[17] = salt[1] ?? 0;
  value.fill(0);
  initial.copy(value, 0, 16);
  value[2] = key.length;
  value.set(key, 3);
  hide(value, 2, secret, initial);
}

const initial = Buffer.alloc(18);

/** Undoes `encryptKey`; undefined for an invalid value (RFC 2548 section 2.4.2). */
export function decryptKey(
  value: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): Buffer | undefined {
  const salt = value.subarray(0, 2);
  if (value.length < 18 || value.length % 16 !== 2 || (salt[0] ?? 0) < 0x80) return undefined;
  const clear = unhide(value.subarray(2), secret, Buffer.concat([requestAuthenticator, salt]));
  const length = clear[0] ?? 0;
  return length < clear.length ? clear.subarray(1, 1 + length) : undefined;
}

/**
 * The value of MS-CHAP-MPPE-Keys for MS-CHAP (RFC 2548 section 2.4.1): no LM key, and the hash of the NT hash, which peers use
 * where the RFC says NT hash.
 */
export function msChapMppeKeys(
  hashHash: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): Buffer {
  const keys = Buffer.alloc(32);
  keys.set(hashHash, 8);
  return encryptPassword(keys, secret, requestAuthenticator);
}

const MASTER = Buffer.from("This is the MPPE Master Key");
const padded = (direction: string) =>
  Buffer.concat([Buffer.alloc(40), Buffer.from(direction), Buffer.alloc(40, 0xf2)]);
const FROM_CLIENT = padded(
  "On the client side, this is the send key; on the server side, it is the receive key.",
);
const FROM_SERVER = padded(
  "On the client side, this is the receive key; on the server side, it is the send key.",
);
