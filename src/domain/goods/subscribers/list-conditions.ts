import { all, type Condition, equal } from "../../../../db/condition.ts";
import { amount, flag, from, id, text, to, type Values, wholeNumber } from "../../core/fields/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ConnectionStatus, isOnline, type ProfileStatus } from "./record.ts";

const DAY = 86_400;

export const officeFilters = {
  expires_from: from,
  expires_to: to,
  balance_lt: amount,
  balance_gt: amount,
  city_id: id,
  area_id: id,
  subarea_id: id,
  box_number: text(100),
  no_login_for: wholeNumber(1, 3650),
  created_from: from,
  created_to: to,
  auto_renew: flag,
  archived: flag,
};

export function officeConditions(filters: Values<typeof officeFilters>, now: Seconds): Condition {
  const { auto_renew: renewing, no_login_for: days } = filters;
  return all(
    filters.archived === 1 ? left : present,
    equal("s.city_id", filters.city_id),
    equal("s.area_id", filters.area_id),
    equal("s.subarea_id", filters.subarea_id),
    equal("s.box_number", filters.box_number),
    renewing === null || renewing === undefined ? undefined : renews[renewing],
    between("s.created_at", filters.created_from, filters.created_to),
    within("services", "expires_at", filters.expires_from, filters.expires_to),
    within("wallets", "balance", after(filters.balance_gt, 1), after(filters.balance_lt, -1)),
    days ? { text: noLogin, values: [now - days * DAY] } : undefined,
  );
}

const left: Condition = { text: "s.archived_at IS NOT NULL", values: [] };
/** Starts from the few archived ones, so that others need no row. */
export const present: Condition = {
  text: "s.id NOT IN (SELECT id FROM subscribers WHERE archived_at IS NOT NULL)",
  values: [],
};

const renewing = "(SELECT id FROM subscribers WHERE auto_renew = 1)";
const renews: Readonly<Record<0 | 1, Condition>> = {
  0: { text: `s.id NOT IN ${renewing}`, values: [] },
  1: { text: `s.id IN ${renewing}`, values: [] },
};

/** Keeps SQLite from an index on `s`, because other conditions select more. */
export function unindexed({ text, values }: Condition): Condition {
  return { text: text.replaceAll("s.", "+s."), values };
}

type Bound = number | null | undefined;

/** Exclusive. */
const after = (bound: Bound, step: 1 | -1): Bound => (typeof bound === "number" ? bound + step : bound);

function between(column: string, from: Bound, to: Bound): Condition | undefined {
  const isOpen = (bound: Bound) => bound === null || bound === undefined;
  if (isOpen(from) && isOpen(to)) return undefined;
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  return { text: `${column} BETWEEN ? AND ?`, values: [from ?? least, to ?? most] };
}

/** The condition for a range of another table, by its index. */
function within(table: string, column: string, from: Bound, to: Bound): Condition | undefined {
  const range = between(column, from, to);
  return range && { ...range, text: `s.id IN (SELECT subscriber_id FROM ${table} WHERE ${range.text})` };
}

/** Online counts as a login. */
const noLogin = `NOT ${isOnline} AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = s.id AND o.started_at >= ?)`;

export const hasConnectionStatus: Readonly<Record<ConnectionStatus, Condition>> = {
  // as `isOnline`, by open sessions
  online: { text: "s.id IN (SELECT subscriber_id FROM sessions WHERE stopped_at IS NULL)", values: [] },
  offline: { text: `NOT ${isOnline}`, values: [] },
};

const frozen = "SELECT subscriber_id FROM services WHERE frozen_at IS NOT NULL";
const enabled = "s.id NOT IN (SELECT id FROM subscribers WHERE status = 0)";
/** Services past their end by the index of ends; the few frozen ones are excluded. */
const hasEnded = `${enabled} AND s.id IN (SELECT subscriber_id FROM services WHERE expires_at <= ?) AND s.id NOT IN (${frozen})`;
/** The condition for services that run: by subscriber, because nearly all match. */
const runs = `${enabled} AND EXISTS (SELECT 1 FROM services v WHERE v.subscriber_id = s.id AND v.expires_at > ? AND v.frozen_at IS NULL)`;

/** Conditions for each status, as `profileStatus` says them. */
export const hasProfileStatus: Readonly<Record<ProfileStatus, (now: Seconds) => Condition>> = {
  disabled: () => ({ text: `(s.status <> 1 OR s.id IN (${frozen}))`, values: [] }),
  inactive: () => ({
    text: "s.status = 1 AND NOT EXISTS (SELECT 1 FROM services v WHERE v.subscriber_id = s.id)",
    values: [],
  }),
  expired: (now) => ({ text: hasEnded, values: [now] }),
  active: (now) => ({ text: runs, values: [now] }),
};
