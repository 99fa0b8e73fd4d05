import type { DropLine } from "./journal.ts";

/** What a person has to know about a refused datagram, and do. */
export function dropMessage({ reason, address, nas }: DropLine): string {
  const from = nas === null ? address : `NAS ${nas} (${address})`;
  switch (reason) {
    case "unknown_nas":
      return `unknown NAS ${address}, add it with: gatehouse nas add NAME ${address}`;
    case "bad_authenticator":
    case "bad_message_authenticator":
      return `a packet of ${from} is not signed with our shared secret; compare the secret in /radius on the router`;
    case "message_authenticator_missing":
      return `a packet of ${from} has no Message-Authenticator; set require-message-auth on the router, or require_message_authenticator "no" for this NAS`;
    case "code_not_served":
      return `${from} sent a packet of a kind that this port does not serve; check its authentication and accounting ports`;
    default:
      return `a packet of ${from} was dropped: ${reason}`;
  }
}
