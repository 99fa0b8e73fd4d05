import type { MovedPackage, MovedRouter, MovedService, MovedSubscriber } from "../../model.ts";
import type { ReadOptions } from "../../source.ts";
import { sourceTime } from "../../dates.ts";
import type { Seconds } from "../../../../core/time/time.ts";
import type { Accounting, Tally } from "./accounting.ts";
import { parseMacUsername, readCredentials, readDevice } from "./credentials.ts";
import { isSecret } from "./rest.ts";
import type { Leave, TermsRead } from "./terms.ts";
import type { Pair } from "./pairs.ts";
import type { People, Person } from "./people.ts";
import type { User } from "./users.ts";

export interface Around {
  readonly options: ReadOptions;
  readonly accounting: Accounting;
  readonly people: People;
  readonly routers: ReadonlyMap<string, MovedRouter>;
  readonly leave: Leave;
  readonly month: string;
}

export interface Counts {
  datesAlone: number;
  byFirstLogin: number;
}

export function toSubscriber(
  user: User,
  read: TermsRead,
  sold: { key: string; duration: MovedPackage["duration"] },
  around: Around,
  counts: Counts,
): MovedSubscriber {
  const { at, username, combined, person, tally } = user;
  const device = readDevice(combined);
  for (const [pair, why] of device.left) around.leave(pair, why);
  const ownMac = parseMacUsername(username);
  const expiresAt = findEnd(user, read, around, counts);
  return {
    at,
    username,
    password: readPassword(user, ownMac, around.options),
    package: sold.key,
    router: findRouter(user, around),
    connection:
      tally?.lastKind ?? guessKind([...combined.reply, ...combined.control, ...combined.conditions], ownMac),
    service: toService(user, read, expiresAt, sold.duration, around),
    enabled: user.isEnabled,
    mac_address: device.mac ?? ownMac ?? null,
    macLock: device.isLocked,
    macLogin: ownMac !== undefined,
    static_ip: ownOnly(read.staticIp, around.leave),
    framed_ipv6_prefix: ownOnly(read.framedPrefix, around.leave),
    delegated_ipv6_prefix: ownOnly(read.delegatedPrefix, around.leave),
    ...toPersonFields(person, around.people),
    ...(tally &&
      tally.up + tally.down > 0 && { usage: [{ month: around.month, up: tally.up, down: tally.down }] }),
  };
}

function readPassword(
  user: User,
  mac: string | undefined,
  { notices }: ReadOptions,
): MovedSubscriber["password"] {
  const { password, count, auth } = readCredentials(user.combined);
  if (count > 1)
    notices.add(
      "double",
      user.at,
      user.username,
      `has ${count} different passwords there; the first one is taken`,
    );
  if (auth === "accept") {
    const how =
      mac === undefined ? "it needs its password" : "it may log in by its MAC address, or with its password";
    notices.add(
      "no_password_login",
      user.at,
      user.username,
      `Auth-Type := Accept let it in with any password; here ${how}`,
    );
  }
  return password;
}

/** Expiration; else first login and lifetime; else the next bill, if in the future. */
function findEnd(
  user: User,
  { accessPeriod }: TermsRead,
  { options, accounting }: Around,
  counts: Counts,
): Seconds | null {
  const { at, username, combined, tally, person } = user;
  const { notices, zone, now } = options;
  const end = combined.control.find(({ name }) => name === "expiration");
  if (end && !/^(never|unlimited|0)?$/i.test(end.value.trim())) {
    const moment = sourceTime(end.value, zone);
    if (moment !== undefined) {
      if (!end.value.includes(":")) counts.datesAlone++;
      return moment;
    }
    notices.add("junk", end.at, username, `Expiration is "${end.value}", which is no time`);
  }
  if (accessPeriod !== null) {
    if (tally) {
      counts.byFirstLogin++;
      return tally.firstStart + accessPeriod;
    }
    if (accounting.users.size > 0)
      notices.add(
        "term_left",
        at,
        username,
        "its time begins with its first login there; here it begins with the move",
      );
    return null;
  }
  const next = person?.bill && sourceTime(person.bill.nextBill, zone);
  if (next === undefined || next <= now) return null;
  notices.add(
    "note",
    at,
    username,
    `has no Expiration there; it ends on the day of its next bill, ${person?.bill?.nextBill ?? ""}`,
  );
  return next;
}

function toService(
  { tally }: User,
  { terms, quotaPeriod }: TermsRead,
  expiresAt: Seconds | null,
  duration: MovedPackage["duration"],
  { accounting, options }: Around,
): MovedService {
  if (!terms.data_quota_bytes || !tally) return { expiresAt };
  const used =
    quotaPeriod === "month"
      ? tally.up + tally.down
      : quotaPeriod === "ever"
        ? tally.total
        : usedInPeriod(tally, expiresAt, duration, accounting, options);
  return { expiresAt, ...(used !== null && { quotaUsed: Math.min(used, Number.MAX_SAFE_INTEGER) }) };
}

function usedInPeriod(
  tally: Tally,
  expiresAt: Seconds | null,
  duration: MovedPackage["duration"],
  accounting: Accounting,
  { now, zone }: ReadOptions,
): number | null {
  if (expiresAt === null) return null;
  const { count, unit } = duration ?? { count: 1, unit: "month" as const };
  const end = Temporal.Instant.fromEpochMilliseconds(expiresAt * 1000).toZonedDateTimeISO(zone);
  const start = Math.floor(end.subtract({ [`${unit}s`]: count }).epochMilliseconds / 1000);
  return start > now ? null : accounting.usedSince(tally, start);
}

/** The connection type by attributes that are sent or required. */
function guessKind(pairs: readonly Pair[], mac: string | undefined): MovedSubscriber["connection"] {
  const has = (name: string, form: RegExp) =>
    pairs.some((pair) => pair.name === name && form.test(pair.value));
  if (has("framed-protocol", /^(ppp|1)$/i) || has("service-type", /^(framed|framed-user|2)$/i)) return "ppp";
  if (has("service-type", /^(login|login-user|1)$/i) || mac !== undefined) return "hotspot";
  return null;
}

/** A bound router of `nas`; other conditions are reported elsewhere. */
function findRouter({ combined }: User, { routers }: Around): string | null {
  const bound = combined.conditions.find(({ name, op }) => name === "nas-ip-address" && /^==?$/.test(op));
  return bound && routers.has(bound.value) ? bound.value : null;
}

/** A subscriber's own: in a group all its users would have it. */
function ownOnly(pair: Pair | null, leave: Leave): string | null {
  if (!pair) return null;
  if (pair.table === "radreply") return pair.value;
  leave(pair, "it stands in a group, but is of one subscriber alone");
  return null;
}

function toPersonFields(person: Person | null, { batches }: People): Partial<MovedSubscriber> {
  if (!person) return {};
  const { info, bill } = person;
  const batch = bill?.batch ? batches.get(bill.batch) : undefined;
  const notes = [info?.global_note, bill?.global_note, batch && `Batch ${batch}`].filter((note) => note);
  return {
    name: info?.name || bill?.name || null,
    email: info?.email || bill?.email || null,
    mobile_number: info?.mobile_number || null,
    phone_number: info?.phone_number || bill?.phone_number || null,
    address: info?.address || bill?.address || null,
    city: info?.city || bill?.city || null,
    global_note: [...new Set(notes)].join("; ") || null,
    createdAt: info?.createdAt ?? null,
  };
}

/** Possible secrets are not shown. */
export function pairText(pair: Pair): string {
  return `${pair.attribute} ${pair.op} ${isSecret(pair) ? "..." : pair.value}`;
}
