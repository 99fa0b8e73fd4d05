import type { OutstandingInvoice } from "../../money/billing/statement.ts";
import type { SessionInScope } from "../../service/sessions/in-scope.ts";
import type { HeadMoney } from "../subscriber-page/head.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { LoginRun } from "../../service/access/login-runs.ts";
import type { AccessReason } from "../../service/access/outcomes.ts";

type Severity = "bad" | "warn" | "good" | "quiet";

/** An operation that fixes it; the page checks permission. */
export type Fix =
  | { readonly kind: "take_device"; readonly mac: string }
  | { readonly kind: "unlock" }
  | { readonly kind: "pay"; readonly amount: number }
  | { readonly kind: "renew" }
  | { readonly kind: "trust"; readonly hours: number }
  | { readonly kind: "activate" }
  | { readonly kind: "package" }
  | { readonly kind: "enable" }
  | { readonly kind: "thaw" }
  | { readonly kind: "restore" }
  | { readonly kind: "password" }
  | { readonly kind: "disconnect" }
  | { readonly kind: "end_session"; readonly sessionId: number }
  | { readonly kind: "edit" }
  | { readonly kind: "outage"; readonly outageId: number; readonly lines: number }
  | { readonly kind: "router"; readonly nasId: number };

export interface Act {
  readonly at: Seconds;
  readonly by: string;
}

export interface Outage {
  readonly id: number;
  readonly kind: "router" | "box" | "area";
  readonly name: string;
  readonly since: Seconds;
  readonly darkAt: Seconds;
  readonly lines: number;
}

export interface FailedRenewal {
  readonly at: Seconds;
  readonly reason: string;
}

interface Term {
  readonly packageName: string;
  readonly since: Seconds;
  readonly money: HeadMoney | null;
  readonly renewal: FailedRenewal | null;
}

interface Data {
  readonly packageName: string;
  readonly total: number;
  readonly used: number;
  readonly money: HeadMoney | null;
}

interface Refused {
  readonly run: LoginRun;
  readonly isSameRouter: boolean;
}

/** Values of each diagnosis. */
interface Causes {
  online: { readonly session: SessionInScope };
  online_slowed: { readonly session: SessionInScope; readonly rate: string | null } & Data;
  online_held_expired: { readonly session: SessionInScope } & Term;
  online_held_data: { readonly session: SessionInScope } & Data;
  /** Paid, but the session is still confined. */
  online_held_paid: { readonly session: SessionInScope; readonly packageName: string };
  online_expired: { readonly session: SessionInScope } & Term;
  online_disabled: { readonly session: SessionInScope; readonly act: Act | null };
  online_frozen: { readonly session: SessionInScope; readonly since: Seconds };
  /** Without recent reports. */
  online_unheard: { readonly session: SessionInScope; readonly outage: Outage | null };
  second_device: { readonly session: SessionInScope; readonly allowed: number } & Refused;

  archived: { readonly since: Seconds; readonly act: Act | null };
  disabled: { readonly act: Act | null };
  frozen: { readonly since: Seconds; readonly act: Act | null };
  never_activated: { readonly packageName: string; readonly money: HeadMoney | null };
  /** Its router's own user. */
  router_decides: object;
  static_address: { readonly address: string | null };
  outage: { readonly outage: Outage };

  new_device: { readonly locked: string | null } & Refused;
  wrong_password: Refused;
  router_secret: Refused;
  other_isp: Refused;
  wrong_connection_type: Refused;
  router_login: Refused;
  no_credentials: Refused;
  expired: Term;
  quota_used_up: Data;
  /** Fixed, but not retried. */
  mended: Refused;
  ended: { readonly last: SessionInScope };
  unaccounted: { readonly run: LoginRun };
  router_unsigned: object;
  not_asking: { readonly last: SessionInScope };
  never_asked: object;
}

export type Code = keyof Causes;

export type Diagnosis = {
  [C in Code]: {
    readonly code: C;
    readonly severity: Severity;
    readonly fixes: readonly Fix[];
  } & Causes[C];
}[Code];
export type DiagnosisOf<C extends Code> = Extract<Diagnosis, { code: C }>;

/** The cause that a reason of a login points to, while nothing has changed since. */
export const causesByReason = {
  accepted: "online",
  accepted_slowed_down: "online_slowed",
  accepted_expired: "online_held_expired",
  accepted_quota_used_up: "online_held_data",
  mac_locked: "new_device",
  wrong_password: "wrong_password",
  other_isp: "other_isp",
  wrong_connection_type: "wrong_connection_type",
  router_login: "router_login",
  no_credentials: "no_credentials",
  too_many_sessions: "second_device",
  disabled: "disabled",
  frozen: "frozen",
  never_activated: "never_activated",
  expired: "expired",
  quota_used_up: "quota_used_up",
  unknown_user: "mended",
  too_many_guesses: "mended",
  card_unsold: "mended",
  card_unheard: "mended",
  card_void: "mended",
  card_expired: "mended",
  card_used_up: "mended",
  card_not_access: "mended",
} as const satisfies Readonly<Record<AccessReason, Code>>;

export type Evidence =
  | { readonly kind: "login"; readonly at: Seconds; readonly run: LoginRun }
  | { readonly kind: "session"; readonly at: Seconds; readonly of: SessionInScope }
  | ({ readonly kind: "renewal" } & FailedRenewal)
  | { readonly kind: "invoice"; readonly at: Seconds; readonly invoice: OutstandingInvoice };
