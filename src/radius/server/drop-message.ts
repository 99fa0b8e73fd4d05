import { OF_ROUTER } from "../../domain/service/cards/guesses.ts";
import { UNKNOWN_USERS_AN_HOUR } from "../../domain/service/accounting/unknown-users.ts";
import type { DropLine } from "./journal.ts";

/** Text about a NAS that reports more sessions of unknown names than are kept, and what to do. */
export function crowdedMessage(nas: string): string {
  return `NAS ${nas} told of more than ${UNKNOWN_USERS_AN_HOUR} sessions in an hour of names that are no subscriber's; the oldest of them are dropped. See who they are: gatehouse sessions list --all --nas ${nas} --limit 20; if they are invented, change its secret`;
}

/** Text about a NAS behind which somebody guesses card codes, and what to do. */
export function guessingMessage(nas: string): string {
  return `NAS ${nas} asked for ${OF_ROUTER} wrong codes of cards within a minute: somebody behind it is guessing. See who: gatehouse logins --nas ${nas} --reason unknown_user; block the device at the router, and let the hotspot slow logins down`;
}

/** Text about a card whose batch is missing, and what to do. */
export function lostBatchMessage(card: string): string {
  return `the store has the card ${card} and not its batch, so that it is refused as void: the store is damaged, and there may be more; restore a backup`;
}

/** Text about a dropped datagram, and what to do. */
export function dropMessage({ reason, address, nas }: DropLine): string {
  const from = nas === null ? address : `NAS ${nas} (${address})`;
  switch (reason) {
    case "unknown_nas":
      return `unknown NAS ${address}, add it with: gatehouse nas add NAME ${address}`;
    case "bad_authenticator":
    case "bad_message_authenticator":
      return `a packet of ${from} is not signed with our shared secret; compare it with the one on the router (RouterOS: /radius)`;
    case "message_authenticator_missing":
      return `a packet of ${from} has no Message-Authenticator; set require-message-auth on the router, or see what else helps with: gatehouse check`;
    case "code_not_served":
      return `${from} sent a packet of a kind that this port does not serve; check its authentication and accounting ports`;
    case "reply_too_long":
      return `a request of ${from} gets no reply, for none has room for what it would carry; look at the proxy that adds Proxy-States, and at further attributes of the package`;
    case "late":
      return `logins of ${from} are dropped where they have waited longer than its line does, so that those that came after them are answered in time: more asked at once than this machine answers; see what else it does (top, iostat), or give some routers an access box`;
    default:
      return `a packet of ${from} was dropped: ${reason}`;
  }
}
