import type { Moved, MovedSubscriber, MovedVoucher } from "../../model.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import { sourceTime } from "../../dates.ts";
import { leaveOnce, monthNow, readSessions, readUser } from "../freeradius/moved.ts";
import type { Tally } from "../freeradius/accounting.ts";
import { Packages } from "../freeradius/packages.ts";
import { combine, type Pair, type Profile } from "../freeradius/pairs.ts";
import { type Around, type Counts, toSubscriber } from "../freeradius/subscribers.ts";
import { tellAccounting } from "../freeradius/tell.ts";
import type { Leave, TermsRead } from "../freeradius/terms.ts";
import type { User } from "../freeradius/users.ts";
import { requirePeople } from "../room.ts";
import type { Desk, DeskUser } from "./desk.ts";
import { DeskProfiles, findCheck, makeSum, readTotal, withoutOwn } from "./profiles.ts";

interface Whole {
  readonly desk: Desk;
  readonly options: ReadOptions;
  readonly profiles: DeskProfiles;
  readonly packages: Packages;
  readonly around: Around;
  readonly counts: Counts;
  /** Of a topped-up profile: the highest balance. */
  readonly sums: Map<string, number>;
}

const isOthers = ({ names }: Desk, name: string) => names.get(name) !== undefined;

/** The exact name, else MySQL's match. */
function findUserProfile(desk: Desk, username: string): Profile | undefined {
  const { tables } = desk;
  const own = tables.findProfile(username);
  if (own) return own;
  const like = tables.ownersLike(username).find((name) => !isOthers(desk, name));
  return like === undefined ? undefined : tables.findProfile(like);
}

function findUserTally(desk: Desk, username: string): Tally | undefined {
  const { users } = desk.tables.accounting;
  return users.get(username) ?? users.alike(username).find(([name]) => !isOthers(desk, name))?.[1];
}

export function toMoved(desk: Desk, options: ReadOptions): Moved {
  if (desk.users.length === 0)
    throw new MovingRefused(
      "There is no permanent_users in this copy with anybody in it. Copy the database of RADIUSdesk (rd), with its data: see the handbook, Move from RADIUSdesk.",
    );
  const { tables } = desk;
  requirePeople(desk.users.length);
  tables.end();
  desk.topUps.end();
  desk.devices.end();
  const leave = leaveOnce(options);
  const profiles = new DeskProfiles(tables, leave);
  const around: Around = {
    options,
    leave,
    routers: desk.routers,
    month: monthNow(options),
    people: tables.people,
    accounting: tables.accounting,
  };
  const whole: Whole = {
    desk,
    options,
    profiles,
    around,
    sums: new Map(),
    packages: new Packages(options.notices, tables.plans, leave),
    counts: { datesAlone: 0, byFirstLogin: 0 },
  };
  for (const known of listKnown(desk)) addSum(known, whole);
  const { scratch } = options.notices;
  whole.packages.learn(readAllTerms(whole, leave));
  const subscribers = scratch.list<MovedSubscriber>();
  for (const each of readAllTerms(whole, leave)) subscribers.push(runImport(each, whole));
  for (const [name, at] of desk.profiles) whole.packages.ofGroup(findProfile(name, whole), at);
  const sessions = readSessions(tables, subscribers, options);
  tellWhole(whole);
  tellAccounting(tables, options.notices, { ...whole.counts, ...sessions });
  const vouchers = scratch.list<MovedVoucher>();
  for (const voucher of desk.vouchers)
    vouchers.push({ ...voucher, package: ofVoucher(voucher.package, whole) });
  return {
    packages: whole.packages.all,
    routers: [...desk.routers.values()],
    subscribers,
    sessions: sessions.sessions,
    vouchers,
    spentCodes: desk.spentCodes,
    afterwards: [
      "Point the routers at this box, and enter their shared secrets there where they are to change",
      "When no router asks FreeRADIUS any more, stop it: systemctl disable --now freeradius",
    ],
  };
}

/** A user with RADIUS attributes. */
interface Known {
  readonly desk: DeskUser;
  readonly own: Profile | undefined;
}

function* listKnown(desk: Desk): Generator<Known, void> {
  for (const user of desk.users) yield { desk: user, own: findUserProfile(desk, user.username) };
}

/** FreeRADIUS's item wins over the form. */
const readProfileName = ({ desk, own }: Known) => findCheck(own, "user-profile") ?? desk.row.profile;

/** Bytes left of a topped-up user. */
const countLeft = ({ desk, own }: Known) =>
  Math.max(0, (readTotal(own) ?? 0) - Number(desk.row.data_used || 0));

function addSum(known: Known, { profiles, sums }: Whole): void {
  const name = readProfileName(known);
  if (!profiles.named(name).isToppedUp) return;
  sums.set(name, Math.max(sums.get(name) ?? 0, countLeft(known)));
}

function findProfile(name: string, { profiles, sums, desk }: Whole): Profile {
  const { profile } = profiles.named(name);
  const sum = sums.get(name) ?? 0;
  if (sum === 0) return profile;
  const at = desk.profiles.get(name) ?? { file: "", line: 0 };
  return { ...profile, check: [...profile.check, makeSum(at, name, sum)] };
}

function ofVoucher(name: string | null, whole: Whole): string | null {
  return name === null
    ? null
    : whole.packages.ofGroup(findProfile(name, whole), whole.desk.profiles.get(name));
}

interface Sold extends Known {
  readonly user: User;
  readonly read: TermsRead;
}

function* readAllTerms(whole: Whole, leave: Leave): Generator<Sold, void> {
  for (const known of listKnown(whole.desk)) {
    const user = toUser(known, whole);
    yield { ...known, user, read: readUser(user, leave) };
  }
}

function runImport(sold: Sold, whole: Whole): MovedSubscriber {
  const { desk: user, own, user: asUser, read } = sold;
  const { around, packages, counts, options, desk } = whole;
  const key = packages.ofUser(asUser, read);
  const made = toSubscriber(asUser, read, { key, duration: packages.period(key) }, around, counts);
  tellUser(user, own, options);
  const { row } = user;
  const used = countUsed(sold, whole);
  return {
    ...made,
    ...(typeof made.password !== "string" && {
      password: { lost: row.auth_type === "sql" ? "hashed" : "none" },
    }),
    ...(made.service && used !== undefined && { service: { ...made.service, quotaUsed: used } }),
    ...findDevice(user, own, whole),
    branch: row.realm || desk.realms.get(row.realm_id) || null,
    static_ip: (made.static_ip ?? row.static_ip) || null,
    history: desk.topUps.of(user.id),
  };
}

/** A FreeRADIUS user in one group, its profile. */
function toUser(known: Known, whole: Whole): User {
  const { desk: user, own } = known;
  const name = readProfileName(known);
  const { at, username, row } = user;
  const { options, around } = whole;
  const pair = (attribute: string, value: string): Pair => ({
    at,
    owner: username,
    table: "radcheck",
    attribute,
    name: attribute.toLowerCase(),
    op: ":=",
    value,
  });
  const check = withoutOwn(own?.check ?? [], around.leave);
  const has = (attribute: string): boolean => check.some((each) => each.name === attribute);
  // midnight means a date alone
  if (!has("expiration") && row.to_date !== "")
    check.push(pair("Expiration", row.to_date.replace(/ 00:00:00$/, "")));
  if (!has("simultaneous-use") && Number(row.session_limit) > 0)
    check.push(pair("Simultaneous-Use", row.session_limit));
  const profile = { name: username, check, reply: [...(own?.reply ?? [])] };
  const isDisabled = row.active !== "1" || findCheck(own, "rd-account-disabled") === "1";
  const groups = name === "" ? [] : [findProfile(name, whole)];
  return {
    at,
    username,
    combined: combine(profile, groups),
    isEnabled: !isDisabled,
    plan: null,
    person: { at, info: readInfo(user, options) },
    tally: findUserTally(whole.desk, username) ?? null,
  };
}

function readInfo({ row }: DeskUser, { zone }: ReadOptions) {
  const extra = row.extra_value === "" ? "" : `${row.extra_name || "Extra"}: ${row.extra_value}`;
  const notes = [row.site === "" ? "" : `Site: ${row.site}`, extra].filter((text) => text !== "");
  return {
    name: [row.name, row.surname].filter((text) => text !== "").join(" "),
    email: row.email,
    mobile_number: row.phone,
    address: row.address,
    city: null,
    phone_number: null,
    global_note: notes.join("; "),
    createdAt: sourceTime(row.created, zone) ?? null,
  };
}

/** Used bytes: for topped-up users so many that the rest is right. */
function countUsed(known: Known, { sums }: Whole): number | undefined {
  const sum = sums.get(readProfileName(known));
  if (sum !== undefined) return sum - countLeft(known);
  const { data_used: used, data_cap: cap } = known.desk.row;
  return cap !== "" && /^\d{1,15}$/.test(used) ? Number(used) : undefined;
}

/** A bound device, if valid. */
function findDevice(
  { at, id, username }: DeskUser,
  own: Profile | undefined,
  { desk, options }: Whole,
): Partial<MovedSubscriber> {
  if (findCheck(own, "rd-mac-check") !== "1") return {};
  const devices = desk.devices.of(id);
  const [first] = devices;
  if (first !== undefined && devices.length === 1) return { mac_address: first.mac, macLock: true };
  const text = `may log in from ${devices.length} devices there; a subscriber here is bound to one address, or to none`;
  options.notices.add("term_left", at, username, text);
  return {};
}

function tellUser(
  { at, username, row }: DeskUser,
  own: Profile | undefined,
  { notices, now, zone }: ReadOptions,
): void {
  const begins = findCheck(own, "rd-account-activation-time") ?? row.from_date;
  if ((sourceTime(begins, zone) ?? 0) > now)
    notices.add("term_left", at, username, `begins on ${begins} there, and at once here`);
  if (row.auth_type !== "" && row.auth_type !== "sql")
    notices.add(
      "note",
      at,
      username,
      `its password was asked of ${row.auth_type} there, so that nobody knows it here`,
    );
  if (row.ppsk !== "")
    notices.add(
      "term_left",
      at,
      username,
      "has a key of its own for the wireless network, of which there is nothing like here",
    );
}

function tellWhole({ desk, options: { notices }, sums }: Whole): void {
  const add = (kind: "left_out" | "note", count: number, who: string, text: string) =>
    count > 0 && notices.add(kind, null, who, text.replace("#", String(count)));
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
  for (const { at, mac } of desk.devices)
    notices.add(
      "left_out",
      at,
      mac,
      "is a device that logs in for its owner: here it logs in with its owner's name, or as a subscriber of its own",
    );
  for (const [name, sum] of sums)
    notices.add(
      "note",
      desk.profiles.get(name) ?? null,
      name,
      `its users are topped up; as a package it has ${sum} bytes, the most that anybody has left, and what is left to each comes with it: set what a renewal is to bring`,
    );
}
