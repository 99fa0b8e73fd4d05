import { sha1Start, unguessable } from "../packet/digests.ts";
import { Microsoft, Vendor } from "../packet/numbers.ts";
import { encryptPassword, hide, unhide } from "./pap.ts";
import type { PacketWriter } from "../packet/writer.ts";

/** Keys alone (RouterOS), or with the word that encryption is allowed or required: Linux's pppd and accel-ppp need it. */
export type Mppe = "keys" | "allowed" | "required";

/** Encryption-Allowed and Encryption-Required (RFC 2548 section 2.4.4). */
const POLICY = { allowed: 1, required: 2 } as const;
/** Keys of 40 and of 128 bits (RFC 2548 section 2.4.5). */
const TYPES = 6;

/** Appends MS-MPPE-Encryption-Policy and -Types, without which such a NAS leaves the keys alone. */
export function writeMppePolicy(reply: PacketWriter, mppe: Mppe): void {
  if (mppe === "keys") return;
  reply
    .vendorInteger(Vendor.Microsoft, Microsoft["MS-MPPE-Encryption-Policy"], POLICY[mppe])
    .vendorInteger(Vendor.Microsoft, Microsoft["MS-MPPE-Encryption-Types"], TYPES);
}

/** The keys of a link as its server names them: `send` encrypts towards the subscriber. */
export interface MppeKeys {
  readonly send: Buffer;
  readonly recv: Buffer;
}

/** The first 16 bytes of SHA1(hash of the NT hash, NT-Response, constant) (RFC 3079 section 3.4, GetMasterKey). */
export function masterKey(hashHash: Uint8Array, ntResponse: Uint8Array): Buffer {
  return sha1Start(16, hashHash, ntResponse, MASTER);
}

/** The 128-bit session start keys of MS-CHAPv2, the server's view (RFC 3079 section 3.4, GetAsymmetricStartKey). */
export function mppeKeys(hashHash: Uint8Array, ntResponse: Uint8Array): MppeKeys {
  const master = masterKey(hashHash, ntResponse);
  return { send: sha1Start(16, master, FROM_SERVER), recv: sha1Start(16, master, FROM_CLIENT) };
}

/** The values of MS-MPPE-Send-Key and -Recv-Key, under two different salts (RFC 2548 section 2.4.2). */
export function encryptMppeKeys(
  keys: MppeKeys,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
): MppeKeys {
  const salt = unguessable(2);
  const other = Buffer.from(salt);
  other[1] = (other[1] ?? 0) ^ 1;
  return {
    send: encryptKey(keys.send, secret, requestAuthenticator, salt),
    recv: encryptKey(keys.recv, secret, requestAuthenticator, other),
  };
}

/** A salt, whose top bit is set here, and the key with its length in front, hidden under it (RFC 2548 section 2.4.2). */
export function encryptKey(
  key: Uint8Array,
  secret: Uint8Array,
  requestAuthenticator: Uint8Array,
  salt: Uint8Array,
): Buffer {
  const padded = Buffer.alloc(Math.ceil((key.length + 1) / 16) * 16);
  padded[0] = key.length;
  padded.set(key, 1);
  const initial = Buffer.allocUnsafe(18);
  initial.set(requestAuthenticator);
  initial[16] = (salt[0] ?? 0) | 0x80;
  initial[17] = salt[1] ?? 0;
  const value = Buffer.allocUnsafe(2 + padded.length);
  initial.copy(value, 0, 16);
  value.set(hide(padded, secret, initial), 2);
  return value;
}

/** Undoes `encryptKey`; undefined when the value cannot be one (RFC 2548 section 2.4.2). */
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
 * The value of MS-CHAP-MPPE-Keys for MS-CHAP (RFC 2548 section 2.4.1): no LM key, and the hash of the NT hash, which is
 * what peers use where the RFC says NT hash.
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
/** What follows the master key: a direction, padded on both sides. */
const padded = (direction: string) =>
  Buffer.concat([Buffer.alloc(40), Buffer.from(direction), Buffer.alloc(40, 0xf2)]);
const FROM_CLIENT = padded(
  "On the client side, this is the send key; on the server side, it is the receive key.",
);
const FROM_SERVER = padded(
  "On the client side, this is the receive key; on the server side, it is the send key.",
);
