import { createHmac, randomBytes } from "node:crypto";
import type { Seconds } from "../time.ts";

/*
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com): the header webhook-signature is `v1,` and the base64 of HMAC-SHA256 over
 * `id.timestamp.body`, one for each secret that is valid, with blanks between them.
 */

const PREFIX = "whsec_";

/** A new secret of 32 bytes, as receivers are told it. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(32).toString("base64")}`;
}

/** The three headers of one attempt, whose time it is. */
export function signedHeaders(
  secrets: readonly string[],
  { uid, at, body }: { uid: string; at: Seconds; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${uid}.${at}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": uid,
    "webhook-timestamp": String(at),
    "webhook-signature": signatures.join(" "),
  };
}
