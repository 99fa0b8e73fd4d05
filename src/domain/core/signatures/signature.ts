import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Seconds } from "../time/time.ts";

/*
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com): webhook-signature is `v1,` and base64 of HMAC-SHA256 over
 * `id.timestamp.body`, one for each valid secret, separated by blanks.
 */

const PREFIX = "whsec_";

/** 32 bytes, in the receivers' format. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(32).toString("base64")}`;
}

/** Seconds. */
const TOLERANCE = 300;

/** Headers of a signed message. */
export interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** What a call was signed with; undefined: unsigned. */
export function signedBy({ headers }: { headers: Headers }): Signed | undefined {
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headers.get(name),
  );
  return id && timestamp && signature ? { id, timestamp, signature } : undefined;
}

/** Recent, and in constant time. */
export function isSignedWith(
  secret: string,
  { id, timestamp, signature }: Signed,
  { body, now }: { body: Uint8Array; now: Seconds },
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false;
  const expected = createHmac("sha256", decodeKey(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();
  const sent = signature
    .slice(0, 2000)
    .split(" ")
    .filter((one) => one.startsWith("v1,"));
  return (
    sent.filter((one) => {
      const bytes = Buffer.from(one.slice("v1,".length), "base64");
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    }).length > 0
  );
}

const decodeKey = (secret: string) => Buffer.from(secret.slice(PREFIX.length), "base64");

export function signedHeaders(
  secrets: readonly string[],
  { uid, at, body }: { uid: string; at: Seconds; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac("sha256", decodeKey(secret)).update(`${uid}.${at}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": uid,
    "webhook-timestamp": String(at),
    "webhook-signature": signatures.join(" "),
  };
}
