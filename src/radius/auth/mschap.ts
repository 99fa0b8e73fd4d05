import { randomBytes, timingSafeEqual } from "node:crypto";

import type { NtKey } from "../../domain/service/access/nt-key.ts";
import { sha1Into } from "../packet/digests.ts";
import { copyBytes } from "../packet/packet.ts";

/** The content of an MS-CHAP-Response or MS-CHAP2-Response (RFC 2548 sections 2.1.3 and 2.3.2). */
export interface MsChapResponse {
  readonly identifier: number;
  readonly ntResponse: Buffer;
}

export interface MsChap2Response extends MsChapResponse {
  readonly peerChallenge: Buffer;
}

/** Reads an MS-CHAP-Response; undefined unless it is 50 bytes with an NT response: LM alone is not supported. */
export function parseMsChapResponse(value: Buffer): MsChapResponse | undefined {
  if (value.length !== 50 || ((value[1] ?? 0) & 1) === 0) return undefined;
  return { identifier: value[0] ?? 0, ntResponse: copyBytes(value, 26, 50) };
}

/** Reads an MS-CHAP2-Response; undefined unless it is 50 bytes. */
export function parseMsChap2Response(value: Buffer): MsChap2Response | undefined {
  if (value.length !== 50) return undefined;
  return {
    identifier: value[0] ?? 0,
    peerChallenge: copyBytes(value, 2, 18),
    ntResponse: copyBytes(value, 26, 50),
  };
}

/** Whether an MS-CHAP response to a challenge of 8 bytes proves the NT hash (RFC 2433 appendix A). */
export function verifyMsChap(response: MsChapResponse, challenge: Uint8Array, key: NtKey): boolean {
  if (challenge.length !== 8) return false;
  key.respondInto(expected, challenge);
  return timingSafeEqual(expected, response.ntResponse);
}

/** Whether an MS-CHAPv2 response proves the NT hash, given the `challengeHash` (RFC 2759 section 8.1). */
export function verifyMsChap2(response: MsChap2Response, hashed: Uint8Array, key: NtKey): boolean {
  key.respondInto(expected, hashed);
  return timingSafeEqual(expected, response.ntResponse);
}

/**
 * The first 8 bytes of SHA1(peer challenge, authenticator challenge, User-Name without domain) (RFC 2759 section 8.2),
 * overwritten by the next call.
 */
export function challengeHash(peerChallenge: Uint8Array, challenge: Uint8Array, userName: Buffer): Buffer {
  sha1Into(hashedChallenge, peerChallenge, challenge, withoutDomain(userName));
  return hashedChallenge;
}

/** The client's 24-byte NT-Response (RFC 2759 section 8.5). */
export function challengeResponse(challenge: Uint8Array, key: NtKey): Buffer {
  const response = Buffer.allocUnsafe(24);
  key.respondInto(response, challenge);
  return response;
}

/**
 * The value of MS-CHAP2-Success: the response's identifier and `S=…`, which proves that we know the password too (RFC 2759
 * section 8.7, RFC 2548 section 2.3.3). Overwritten by the next call.
 */
export function msChap2Success(
  { identifier, ntResponse }: MsChap2Response,
  hashed: Uint8Array,
  hashHash: Uint8Array,
): Buffer {
  sha1Into(inner, hashHash, ntResponse, SIGNING);
  sha1Into(proof, inner, hashed, ITERATION);
  success[0] = identifier;
  for (let i = 0; i < proof.length; i++) {
    const byte = proof[i] ?? 0;
    success[3 + 2 * i] = hexDigit(byte >> 4);
    success[4 + 2 * i] = hexDigit(byte & 15);
  }
  return success;
}

function hexDigit(value: number): number {
  return value < 10 ? 0x30 + value : 0x37 + value;
}

/** Failure codes of MS-CHAP-Error (RFC 2759 section 6). */
export const MsChapFailure = {
  restrictedHours: 646,
  disabled: 647,
  passwordExpired: 648,
  noDialin: 649,
  failed: 691,
};

/**
 * The value of MS-CHAP-Error, with R=0 and a new challenge (RFC 2548 section 2.1.5). MS-CHAPv2 has 16 bytes of challenge
 * and a message (RFC 2759 section 6), MS-CHAP has 8 and none (RFC 2433 section 6).
 */
export function msChapError(
  failure: number,
  { version, identifier, message }: { version: 1 | 2; identifier: number; message: string },
): Buffer {
  const challenge = randomBytes(version === 2 ? 16 : 8)
    .toString("hex")
    .toUpperCase();
  const words = version === 2 ? `V=3 M=${message}` : "V=2";
  return Buffer.concat([Uint8Array.of(identifier), Buffer.from(`E=${failure} R=0 C=${challenge} ${words}`)]);
}

/** The name behind `DOMAIN\`, as bytes. */
export function withoutDomain(userName: Buffer): Buffer {
  const backslash = userName.indexOf(0x5c);
  return backslash < 0 ? userName : userName.subarray(backslash + 1);
}

// kept, because a new array per login costs more than the work on it
const expected = Buffer.alloc(24);
const hashedChallenge = Buffer.alloc(8);
const inner = Buffer.alloc(20);
const proof = Buffer.alloc(20);
const success = Buffer.from(`\0S=${"0".repeat(2 * proof.length)}`);

const SIGNING = Buffer.from("Magic server to client signing constant");
const ITERATION = Buffer.from("Pad to make it do more than one iteration");
