import { timingSafeEqual } from "node:crypto";

import { md5, md5Into } from "../packet/digests.ts";
import { Attribute } from "../packet/numbers.ts";
import { type Packet, value } from "../packet/packet.ts";

/** The challenge of a CHAP-Password: attribute 60, else the Request Authenticator (RFC 2865 section 5.40). */
export function chapChallenge(packet: Packet): Buffer {
  return value(packet, Attribute["CHAP-Challenge"]) ?? packet.authenticator;
}

/** MD5(CHAP identifier, password, challenge) (RFC 1994 section 4.1). */
export function chapResponse(identifier: number, password: Uint8Array, challenge: Uint8Array): Buffer {
  return md5(Uint8Array.of(identifier), password, challenge);
}

/** Whether a CHAP-Password, identifier and 16 bytes of response, proves the password (RFC 2865 section 5.3). */
export function verifyChap(chapPassword: Uint8Array, challenge: Uint8Array, password: Uint8Array): boolean {
  if (chapPassword.length !== 17) return false;
  claimed.set(chapPassword);
  identifier[0] = chapPassword[0] ?? 0;
  md5Into(expected, identifier, password, challenge);
  return timingSafeEqual(claimedResponse, expected);
}

// kept, because an array for each login costs more than its digest
const claimed = Buffer.alloc(17);
const claimedResponse = claimed.subarray(1);
const identifier = Buffer.alloc(1);
const expected = Buffer.alloc(16);
