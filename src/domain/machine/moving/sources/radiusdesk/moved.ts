import type { Moved, MovedSubscriber } from "../../model.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import { sourceTime } from "../../dates.ts";
import { leaveOnce, monthOf, readUser, sessionsOf } from "../freeradius/moved.ts";
import type { Tally } from "../freeradius/accounting.ts";
import { Packages } from "../freeradius/packages.ts";
import { combine, type Pair, type Profile } from "../freeradius/pairs.ts";
import { type Around, type Counts, subscriberOf } from "../freeradius/subscribers.ts";
import { tellAccounting } from "../freeradius/tell.ts";
import type { TermsRead } from "../freeradius/terms.ts";
import { Names, type User } from "../freeradius/users.ts";
import type { Desk, DeskUser } from "./desk.ts";
import { checkOf, DeskProfiles, sumOf, totalOf, withoutOwn } from "./profiles.ts";

/** What goes into every subscriber. */
interface Whole {
  readonly desk: Desk;
  readonly options: ReadOptions;
  readonly radius: Owned<Profile>;
  readonly tallies: Owned<Tally>;
  readonly profiles: DeskProfiles;
  readonly packages: Packages;
  readonly around: Around;
  readonly counts: Counts;
  /** Of a profile that is topped up: the most that anybody has left. */
  readonly sums: Map<string, number>;
}

/** Finds what is of a username. */
type Owned<T> = (username: string) => T | undefined;

/** Finds by name as written, else as MySQL would, unless that is the name of another user as written. */
function ofOwners<T>({ users }: Desk, found: ReadonlyMap<string, T>): Owned<T> {
  const names = new Set(users.map(({ username }) => username));
  const others = new Names(new Map([...found].filter(([name]) => !names.has(name))));
  return (username) => found.get(username) ?? others.find(username);
}

/** What the tables amount to. Throws MovingRefused where they have no users. */
export function movedOf(desk: Desk, options: ReadOptions): Moved {
  if (desk.users.length === 0)
    throw new MovingRefused(
      "There is no permanent_users in this copy with anybody in it. Copy the database of RADIUSdesk (rd), with its data: see the handbook, Moving in.",
    );
  const { tables } = desk;
  const leave = leaveOnce(options);
  const profiles = new DeskProfiles(tables, leave);
  const around: Around = {
    ...{ options, leave, routers: desk.routers, month: monthOf(options) },
    ...{ people: tables.people, accounting: tables.accounting },
  };
  const whole: Whole = {
    ...{ desk, options, profiles, around, sums: new Map() },
    radius: ofOwners(desk, tables.users),
    tallies: ofOwners(desk, tables.accounting.users),
    packages: new Packages(options.told, tables.plans, leave),
    counts: { datesAlone: 0, byFirstLogin: 0 },
  };
  for (const user of desk.users) addSum(user, whole);
  const sold = desk.users.map((desk) => {
    const user = userOf(desk, whole);
    return { desk, user, read: readUser(user, leave) };
  });
  whole.packages.learnSessions(sold);
  const subscribers = sold.map((each) => bring(each, whole));
  for (const [name, at] of desk.profiles) whole.packages.ofGroup(profileOf(name, whole), at);
  const sessions = sessionsOf(tables, subscribers);
  tellWhole(whole);
  tellAccounting(tables, options.told, { ...whole.counts, ...sessions });
  return {
    packages: whole.packages.all,
    routers: [...desk.routers.values()],
    subscribers,
    sessions: sessions.sessions,
    vouchers: desk.vouchers.map((voucher) => ({ ...voucher, package: ofVoucher(voucher.package, whole) })),
    spentCodes: desk.spentCodes,
    afterwards: [
      "Point the routers at this box, and enter their shared secrets there where they are to change",
      "When no router asks FreeRADIUS any more, stop it: systemctl disable --now freeradius",
    ],
  };
}

/** The name of a user's profile: what FreeRADIUS is told goes before the form. */
function profileNameOf({ username, row }: DeskUser, { radius }: Whole): string {
  return checkOf(radius(username), "user-profile") ?? row.profile;
}

/** The bytes that a user of a profile that is topped up still has. */
function leftOf(user: DeskUser, { radius }: Whole): number {
  return Math.max(0, (totalOf(radius(user.username)) ?? 0) - Number(user.row.data_used || 0));
}

function addSum(user: DeskUser, whole: Whole): void {
  const name = profileNameOf(user, whole);
  if (!whole.profiles.named(name).isToppedUp) return;
  whole.sums.set(name, Math.max(whole.sums.get(name) ?? 0, leftOf(user, whole)));
}

function profileOf(name: string, { profiles, sums, desk }: Whole): Profile {
  const { profile } = profiles.named(name);
  const sum = sums.get(name) ?? 0;
  if (sum === 0) return profile;
  const at = desk.profiles.get(name) ?? { file: "", line: 0 };
  return { ...profile, check: [...profile.check, sumOf(at, name, sum)] };
}

function ofVoucher(name: string | null, whole: Whole): string | null {
  return name === null ? null : whole.packages.ofGroup(profileOf(name, whole), whole.desk.profiles.get(name));
}

/** Somebody with what FreeRADIUS makes of it. */
interface Sold {
  readonly desk: DeskUser;
  readonly user: User;
  readonly read: TermsRead;
}

function bring({ desk: user, user: asUser, read }: Sold, whole: Whole): MovedSubscriber {
  const { around, packages, counts, options, desk } = whole;
  const own = whole.radius(user.username);
  const key = packages.ofUser(asUser, read);
  const made = subscriberOf(asUser, read, { key, duration: packages.periodOf(key) }, around, counts);
  tellUser(user, own, options);
  const { row } = user;
  const used = usedOf(user, whole);
  return {
    ...made,
    ...(typeof made.password !== "string" && {
      password: { lost: row.auth_type === "sql" ? "hashed" : "none" },
    }),
    ...(made.service && used !== undefined && { service: { ...made.service, quotaUsed: used } }),
    ...deviceOf(user, own, whole),
    branch: row.realm || desk.realms.get(row.realm_id) || null,
    static_ip: (made.static_ip ?? row.static_ip) || null,
    history: desk.topUps.get(user.id) ?? [],
  };
}

/** As a user of FreeRADIUS whose one group is its profile. */
function userOf(user: DeskUser, whole: Whole): User {
  const own = whole.radius(user.username);
  const name = profileNameOf(user, whole);
  const { at, username, row } = user;
  const { options, around } = whole;
  const pair = (attribute: string, value: string): Pair => ({
    ...{ at, owner: username, table: "radcheck", attribute, name: attribute.toLowerCase(), op: ":=", value },
  });
  const check = withoutOwn(own?.check ?? [], around.leave);
  const has = (attribute: string): boolean => check.some((each) => each.name === attribute);
  // midnight is a day that was chosen, without a time
  if (!has("expiration") && row.to_date !== "")
    check.push(pair("Expiration", row.to_date.replace(/ 00:00:00$/, "")));
  if (!has("simultaneous-use") && Number(row.session_limit) > 0)
    check.push(pair("Simultaneous-Use", row.session_limit));
  const profile = { name: username, check, reply: [...(own?.reply ?? [])] };
  const isDisabled = row.active !== "1" || checkOf(own, "rd-account-disabled") === "1";
  const groups = name === "" ? [] : [profileOf(name, whole)];
  return {
    ...{ at, username, combined: combine(profile, groups), isEnabled: !isDisabled, plan: null },
    person: { at, info: infoOf(user, options) },
    tally: whole.tallies(username) ?? null,
  };
}

function infoOf({ row }: DeskUser, { zone }: ReadOptions) {
  const extra = row.extra_value === "" ? "" : `${row.extra_name || "Extra"}: ${row.extra_value}`;
  const notes = [row.site === "" ? "" : `Site: ${row.site}`, extra].filter((text) => text !== "");
  return {
    name: [row.name, row.surname].filter((text) => text !== "").join(" "),
    ...{ email: row.email, mobile_number: row.phone, address: row.address, city: null, phone_number: null },
    global_note: notes.join("; "),
    createdAt: sourceTime(row.created, zone) ?? null,
  };
}

/** Bytes used of the quota: of who is topped up, so many that what is left is what was left there. */
function usedOf(user: DeskUser, whole: Whole): number | undefined {
  const sum = whole.sums.get(profileNameOf(user, whole));
  if (sum !== undefined) return sum - leftOf(user, whole);
  const { data_used: used, data_cap: cap } = user.row;
  return cap !== "" && /^\d{1,15}$/.test(used) ? Number(used) : undefined;
}

/** The device that it is bound to, where it is one. */
function deviceOf(
  { at, id, username }: DeskUser,
  own: Profile | undefined,
  { desk, options }: Whole,
): Partial<MovedSubscriber> {
  if (checkOf(own, "rd-mac-check") !== "1") return {};
  const devices = desk.devices.get(id) ?? [];
  const [first] = devices;
  if (first !== undefined && devices.length === 1) return { mac_address: first.mac, macLock: true };
  const text = `may log in from ${devices.length} devices there; a subscriber here is bound to one address, or to none`;
  options.told.add("term_left", at, username, text);
  return {};
}

function tellUser(
  { at, username, row }: DeskUser,
  own: Profile | undefined,
  { told, now, zone }: ReadOptions,
): void {
  const begins = checkOf(own, "rd-account-activation-time") ?? row.from_date;
  if ((sourceTime(begins, zone) ?? 0) > now)
    told.add("term_left", at, username, `begins on ${begins} there, and at once here`);
  if (row.auth_type !== "" && row.auth_type !== "sql")
    told.add(
      "note",
      at,
      username,
      `its password was asked of ${row.auth_type} there, so that nobody knows it here`,
    );
  if (row.ppsk !== "")
    told.add(
      "term_left",
      at,
      username,
      "has a key of its own for the wireless network, of which there is nothing like here",
    );
}

/** Tells what is of many rows, once. */
function tellWhole({ desk, options: { told }, sums }: Whole): void {
  const add = (kind: "left_out" | "note", count: number, who: string, text: string) =>
    count > 0 && told.add(kind, null, who, text.replace("#", String(count)));
  add("left_out", desk.staff, "users", "accounts of staff: #; add those who need one here");
  add(
    "left_out",
    desk.spentCodes.length,
    "vouchers",
    "vouchers that are in use, used up or past their end: #",
  );
  if (desk.clouds.size > 1)
    add(
      "note",
      desk.clouds.size,
      "clouds",
      "clouds in this copy: #; their subscribers come together, into this ISP",
    );
  for (const devices of desk.devices.values())
    for (const { at, mac } of devices)
      told.add(
        "left_out",
        at,
        mac,
        "is a device that logs in for its owner: here it logs in with its owner's name, or as a subscriber of its own",
      );
  for (const [name, sum] of sums)
    told.add(
      "note",
      desk.profiles.get(name) ?? null,
      name,
      `its users are topped up; as a package it has ${sum} bytes, the most that anybody has left, and what is left to each comes with it: set what a renewal is to bring`,
    );
}
