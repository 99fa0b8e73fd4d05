import { timingSafeEqual } from "node:crypto";

import { packetHmac, packetMd5 } from "./digests.ts";
import { Attribute, Code } from "./numbers.ts";
import { has, HEADER, type Packet } from "./packet.ts";

export type Role = "auth" | "acct";

/** Why a request gets no answer. */
export type Refusal =
  "code_not_served" | "bad_authenticator" | "bad_message_authenticator" | "message_authenticator_missing";

/** A genuine request, and whether it has a valid Message-Authenticator; or why it is refused. */
export type Verified =
  | { readonly ok: true; readonly messageAuthenticator: boolean }
  | { readonly ok: false; readonly reason: Refusal };

const ZERO = Buffer.alloc(16);
/** The received Message-Authenticator. */
const claimed = Buffer.alloc(16);

// Constants, so that a flood of forgeries costs no allocations.
const GENUINE: Verified = { ok: true, messageAuthenticator: true };
const UNPROVEN: Verified = { ok: true, messageAuthenticator: false };
const NOT_SERVED: Verified = { ok: false, reason: "code_not_served" };
const BAD_AUTHENTICATOR: Verified = { ok: false, reason: "bad_authenticator" };
const BAD_MESSAGE_AUTHENTICATOR: Verified = { ok: false, reason: "bad_message_authenticator" };
const MISSING: Verified = { ok: false, reason: "message_authenticator_missing" };

/**
 * Verifies a request's authenticators (RFC 2866 section 3, RFC 3579 section 3.2, RFC 5997 section 3). An Access-Request with
 * Proxy-State and no Message-Authenticator is always refused (CVE-2024-3596).
 */
export function verifyRequest(
  packet: Packet,
  secret: Uint8Array,
  { role, requireMessageAuthenticator }: { role: Role; requireMessageAuthenticator: boolean },
): Verified {
  switch (packet.code) {
    case Code["Access-Request"]:
      if (role !== "auth") return NOT_SERVED;
      if (packet.messageAuthenticatorAt > 0) return judgeMessageAuthenticator(packet, secret);
      return requireMessageAuthenticator ||
        has(packet, Attribute["EAP-Message"]) ||
        has(packet, Attribute["Proxy-State"])
        ? MISSING
        : UNPROVEN;
    case Code["Status-Server"]:
      if (packet.messageAuthenticatorAt === 0) return MISSING;
      return judgeMessageAuthenticator(packet, secret);
    case Code["Accounting-Request"]:
      if (role !== "acct") return NOT_SERVED;
      if (!timingSafeEqual(packetMd5(packet.bytes, secret, ZERO), packet.authenticator))
        return BAD_AUTHENTICATOR;
      // Over a zeroed authenticator field, as FreeRADIUS and radclient sign (RFC 5176 section 2.3 for CoA).
      return packet.messageAuthenticatorAt > 0 ? judgeMessageAuthenticator(packet, secret, ZERO) : UNPROVEN;
    default:
      return NOT_SERVED;
  }
}

export type ReplyVerdict =
  | "ok"
  | "wrong_identifier"
  | "unexpected_code"
  | "bad_authenticator"
  | "bad_message_authenticator"
  | "message_authenticator_missing";

const answers = new Map<number, readonly number[]>([
  [Code["Access-Request"], [Code["Access-Accept"], Code["Access-Reject"], Code["Access-Challenge"]]],
  [Code["Accounting-Request"], [Code["Accounting-Response"]]],
  [Code["Status-Server"], [Code["Access-Accept"], Code["Accounting-Response"]]],
  [Code["Disconnect-Request"], [Code["Disconnect-ACK"], Code["Disconnect-NAK"]]],
  [Code["CoA-Request"], [Code["CoA-ACK"], Code["CoA-NAK"]]],
]);

/** Verifies a reply against the bytes of its request (RFC 2865 section 3, RFC 3579 section 3.2). */
export function verifyResponse(
  reply: Packet,
  request: Buffer,
  secret: Uint8Array,
  { requireMessageAuthenticator }: { requireMessageAuthenticator: boolean },
): ReplyVerdict {
  const requestAuthenticator = request.subarray(4, HEADER);
  if (reply.identifier !== request[1]) return "wrong_identifier";
  if (!answers.get(request[0] ?? 0)?.includes(reply.code)) return "unexpected_code";
  if (!timingSafeEqual(packetMd5(reply.bytes, secret, requestAuthenticator), reply.authenticator)) {
    return "bad_authenticator";
  }
  if (reply.messageAuthenticatorAt === 0)
    return requireMessageAuthenticator ? "message_authenticator_missing" : "ok";
  return judgeMessageAuthenticator(reply, secret, requestAuthenticator) === GENUINE
    ? "ok"
    : "bad_message_authenticator";
}

/** `authenticator` replaces the packet's own when given. */
function judgeMessageAuthenticator(packet: Packet, secret: Uint8Array, authenticator?: Uint8Array): Verified {
  const at = packet.messageAuthenticatorAt;
  const expected = packetHmac(packet.bytes, secret, { zeroAt: at, authenticator });
  packet.bytes.copy(claimed, 0, at, at + 16);
  return timingSafeEqual(expected, claimed) ? GENUINE : BAD_MESSAGE_AUTHENTICATOR;
}
