import { formatAmount } from "../../core/amounts/money.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import type { Fields } from "./imported-rows.ts";
import type { Judged } from "./judge-people.ts";
import { counted, moment } from "./measures.ts";
import type { Move } from "./move.ts";
import type { PlannedSubscriber } from "./plan.ts";
import type { StoredPeople, StoredPerson } from "./stored-people.ts";

/** An end, "unknown", or no service (null). */
type Term = Seconds | "unknown" | null;

function serviceTerm({ moved: { service } }: Judged): Term {
  if (service === null) return null;
  return (service.expiresAt === null ? undefined : moment(service.expiresAt)) ?? "unknown";
}

export function outstandingMoney(
  move: Move,
  plan: PlannedSubscriber,
  judged: Judged,
  { expires }: { expires: Seconds },
): void {
  const { moved, username } = judged;
  plan.isMoneyOurs = true;
  if (!move.takesMoney) {
    // remembered as absent, so that a later run adds them
    plan.fields["term"] = plan.fields["balance"] = null;
    return;
  }
  const { balance } = judged;
  const term = serviceTerm(judged);
  plan.fields["term"] = term;
  plan.fields["balance"] = balance ?? null;
  if (balance) plan.more["balance"] = formatAmount(balance);
  if (term === null) {
    const text = "was never recharged there; activate it here";
    move.notices.add("no_service", moved.at, username, text);
    return;
  }
  open(move, plan, judged, { term, expires });
}

function open(
  move: Move,
  plan: PlannedSubscriber,
  { moved, username }: Judged,
  { term, expires }: { term: Seconds | "unknown"; expires: Seconds },
): void {
  if (term === "unknown")
    move.notices.add("no_expiry", moved.at, username, `ends here on ${formatTime(expires)}`);
  plan.more["current_expiration_date"] = formatTime(term === "unknown" ? expires : term);
  const used = counted(moved.service?.quotaUsed ?? 0);
  if (used > 0) plan.more["quota_used"] = used;
}

interface Known {
  readonly stored: StoredPerson;
  /** undefined: never imported. */
  readonly before: Fields | undefined;
  readonly packageId: number;
  readonly people: StoredPeople;
  readonly expires: Seconds;
}

/** Wallet, package and end follow the source while nothing moved here; of a balance only the difference is booked. */
export function followMoney(move: Move, plan: PlannedSubscriber, judged: Judged, known: Known): void {
  const { stored, before, packageId, people } = known;
  if (!move.takesMoney) return leaveMoney(plan, known);
  const term = serviceTerm(judged);
  const balance = judged.balance ?? before?.["balance"] ?? null;
  if (before === undefined) return meetMoney(move, plan, judged, known);
  const isSame =
    term === before["term"] && packageId === before["package_id"] && balance === before["balance"];
  const isMoved =
    before["stamp"] !== people.readStamp(stored.id) || stored["package_id"] !== before["package_id"];
  plan.isMoneyOurs = !isMoved;
  if (isSame) return followQuota(plan, judged, isMoved);
  if (isMoved) return tellMoney(move, plan, judged, known);
  plan.fields["balance"] = balance;
  const difference = Number(balance ?? 0) - Number(before["balance"] ?? 0);
  if (difference !== 0) plan.more["balance"] = formatAmount(stored.balance + difference);
  followTerm(move, plan, judged, { ...known, before });
}

/** Remembers money as last imported, so that a run with the money permission compares with that. */
function leaveMoney(plan: PlannedSubscriber, { stored, before, people }: Known): void {
  const isUntouched = stored.expires_at === null && stored.entries === 0;
  const packageId = stored["package_id"];
  const here: Fields = {
    term: null,
    balance: null,
    package_id: typeof packageId === "number" ? packageId : null,
  };
  for (const [name, value] of Object.entries(here)) plan.fields[name] = before?.[name] ?? value;
  plan.isMoneyOurs = before === undefined ? isUntouched : before["stamp"] === people.readStamp(stored.id);
  if (!plan.isMoneyOurs) plan.fields["stamp"] = before?.["stamp"] ?? "";
}

function followTerm(
  move: Move,
  plan: PlannedSubscriber,
  judged: Judged,
  { stored, before, packageId, expires }: Known & { before: Fields },
): void {
  const term = serviceTerm(judged);
  const isNewPackage = packageId !== before["package_id"];
  plan.fields["term"] = term;
  plan.fields["package_id"] = packageId;
  if (isNewPackage) plan.values["package_id"] = packageId;
  if (term === before["term"] && !isNewPackage) return followQuota(plan, judged, false);
  if (term === null) {
    if (stored.expires_at !== null) plan.more["current_expiration_date"] = null;
    return;
  }
  // a source without an end keeps ours
  if (term === "unknown" && stored.expires_at !== null) {
    if (isNewPackage) plan.more["current_expiration_date"] = formatTime(stored.expires_at);
    return;
  }
  open(move, plan, judged, { term, expires });
}

function followQuota(plan: PlannedSubscriber, { moved }: Judged, isMoved: boolean): void {
  const used = counted(moved.service?.quotaUsed ?? 0);
  if (used > 0 && !isMoved) plan.past = { ...plan.past, quota_used: used };
}

/** Fills only empty fields of a subscriber known before the first run. */
function meetMoney(
  move: Move,
  plan: PlannedSubscriber,
  judged: Judged,
  { stored, packageId, expires, people }: Known,
): void {
  const term = serviceTerm(judged);
  const isUntouched = stored.expires_at === null && stored.entries === 0;
  plan.fields["term"] = term;
  plan.fields["balance"] = judged.balance ?? null;
  plan.fields["package_id"] = packageId;
  plan.isMoneyOurs = isUntouched;
  if (!isUntouched) {
    plan.fields["stamp"] = ""; // what moved before anything came is never the source's
    const isOther = stored.expires_at !== term || stored.balance !== (judged.balance ?? stored.balance);
    if (isOther) tellMoney(move, plan, judged, { stored, before: undefined, packageId, expires, people });
    return;
  }
  if (stored["package_id"] !== packageId) plan.values["package_id"] = packageId;
  if (judged.balance) plan.more["balance"] = formatAmount(judged.balance);
  if (term !== null) open(move, plan, judged, { term, expires });
}

function tellMoney({ notices }: Move, plan: PlannedSubscriber, judged: Judged, { stored }: Known): void {
  const term = serviceTerm(judged);
  const there = [
    term === null ? "no service" : term === "unknown" ? "no end" : `until ${formatTime(term)}`,
    ...(judged.balance === undefined ? [] : [formatAmount(judged.balance)]),
  ];
  const end = stored.expires_at === null ? "no service" : `until ${formatTime(stored.expires_at)}`;
  const here = [end, formatAmount(stored.balance)];
  notices.add("money_kept", plan.at, plan.username, `there: ${there.join(", ")}; here: ${here.join(", ")}`);
}
