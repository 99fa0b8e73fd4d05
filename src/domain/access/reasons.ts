import type { AccessReason } from "./decide.ts";

/** What a decision means and what to do about it, for the ISP's staff; auth_log and `gatehouse why` keep the true reason. */
export const reasonWords: Readonly<Record<AccessReason, string>> = {
  accepted: "accepted",
  accepted_expired: "accepted into the walled garden: expired; activate a package",
  accepted_quota_used_up: "accepted into the walled garden: the data volume is used up; activate a package",
  accepted_slowed_down: "accepted at the slower rate: the data volume is used up",
  router_login:
    "rejected: somebody tried to log in to the router itself; such logins are not served, so let the router not ask us about them (RouterOS: /user aaa set use-radius=no)",
  no_credentials:
    "rejected: the request has no password that we can check; allow PAP, CHAP, MS-CHAP or MS-CHAPv2 on the router, not EAP",
  unknown_user: "rejected: there is no subscriber with this username",
  disabled: "rejected: the subscriber is disabled; enable it with: gatehouse subscriber enable",
  never_activated: "rejected: no package was ever activated",
  wrong_password: "rejected: wrong password",
  mac_locked: "rejected: locked to another MAC address; change the address or unlock it",
  other_isp: "rejected: the router belongs to another ISP than the subscriber",
  wrong_connection_type:
    "rejected: the connection type does not fit; 1 is PPP, 2 is hotspot, 3 to 5 are never served over RADIUS",
  expired: "rejected: expired; activate a package",
  quota_used_up: "rejected: the data volume is used up; activate a package",
  too_many_sessions:
    "rejected: as many sessions as the package allows are open already; see gatehouse sessions list, and end one that is over with: gatehouse sessions end",
};

/** The words of a reason as the log keeps it. */
export function wordsOf(reason: string): string {
  return isReason(reason) ? reasonWords[reason] : reason;
}

function isReason(reason: string): reason is AccessReason {
  return Object.hasOwn(reasonWords, reason);
}
