import { createHash } from "node:crypto";
import type { Moved, MovedSession, MovedSubscriber } from "../../model.ts";
import { ByName, type Rows } from "../../scratch.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import { readCredentials } from "./credentials.ts";
import { Packages } from "./packages.ts";
import { combine, isNeverSent, type Profile } from "./pairs.ts";
import { type Leave, readTerms, type TermsRead } from "./terms.ts";
import { type Around, type Counts, pairText, toSubscriber } from "./subscribers.ts";
import type { Tables } from "./tables.ts";
import { Summary, tellWhole } from "./tell.ts";
import { DISABLED, type User, Users } from "./users.ts";

export function toMoved(tables: Tables, options: ReadOptions): Moved {
  tables.end();
  const [someone] = tables.names();
  if (!someone)
    throw new MovingRefused(
      "There is no radcheck in this copy with anybody in it. Copy the database that FreeRADIUS uses, with its data: see the handbook, Move from FreeRADIUS or daloRADIUS.",
    );
  const { notices } = options;
  const leave = leaveOnce(options);
  const users = new Users(tables);
  const packages = new Packages(notices, tables.plans, leave);
  const summary = new Summary(tables);
  const around: Around = {
    ...tables,
    options,
    leave,
    people: tables.people,
    accounting: tables.accounting,
    month: monthNow(options),
  };
  const counts: Counts = { datesAlone: 0, byFirstLogin: 0 };
  packages.learn(readAllTerms(summary.heard(users), leave));
  const subscribers = notices.scratch.list<MovedSubscriber>();
  for (const { user, read } of readAllTerms(users, leave)) {
    const key = packages.ofUser(user, read);
    subscribers.push(toSubscriber(user, read, { key, duration: packages.period(key) }, around, counts));
  }
  for (const group of tables.groups.values()) if (sells(group)) packages.ofGroup(group);
  const sessions = readSessions(tables, subscribers, options);
  tellWhole(tables, summary, options, { ...counts, ...sessions });
  return {
    packages: packages.all,
    routers: [...tables.routers.values()],
    subscribers,
    sessions: sessions.sessions,
    vouchers: [],
    afterwards: [
      "Point the routers at this box, and enter their shared secrets there where they are to change",
      "When no router asks FreeRADIUS any more, stop it: systemctl disable --now freeradius",
    ],
  };
}

function* readAllTerms(users: Iterable<User>, leave: Leave) {
  for (const user of users) yield { user, read: readUser(user, leave) };
}

/** Rows with another or no meaning are reported. */
export function readUser({ combined }: User, leave: Leave): TermsRead {
  const read = readTerms(combined, leave);
  for (const pair of combined.conditions) {
    const isRead = pair.table === "radcheck" && pair.name === "calling-station-id";
    if (!isRead && pair.name !== "framed-protocol")
      leave(pair, "it is compared with each login there; here it holds for every login, or not at all");
  }
  for (const pair of combined.unsent)
    leave(
      pair,
      isNeverSent(pair)
        ? "with == FreeRADIUS never sends it"
        : "a group's value takes its place, there as here",
    );
  return read;
}

/** Reports a row once. */
export function leaveOnce({ notices }: ReadOptions): Leave {
  const { scratch } = notices;
  const done = scratch.table("left", "key BLOB PRIMARY KEY");
  return (pair, why) => {
    const key = createHash("sha256").update(
      [pair.table, pair.owner, pair.name, pair.op, pair.value, why].join("\0"),
    );
    if (!scratch.isNew(`INSERT OR IGNORE INTO ${done} VALUES (?)`, key.digest())) return;
    notices.add("term_left", pair.at, pair.owner, `${pairText(pair)}: ${why}`);
  };
}

/** Sessions under the names by which their users are imported. */
export function readSessions(
  { accounting }: Tables,
  subscribers: Rows<MovedSubscriber>,
  { notices: { scratch } }: ReadOptions,
): { sessions: Rows<MovedSession>; lost: number; strangers: number } {
  const names = new ByName<string>(scratch);
  const own = scratch.list<MovedSession>();
  let [lost, strangers] = [0, 0];
  for (const { username } of subscribers) names.set(username, username);
  for (const session of accounting.open) {
    const username = accounting.isLost(session) ? null : names.find(session.username);
    if (username === null) lost++;
    else if (username === undefined) strangers++;
    else own.push({ ...session, username });
  }
  return { sessions: own, lost, strangers };
}

/** A rejecting group is no package, unless somebody has it. */
function sells({ name, check, reply }: Profile): boolean {
  const isRefusing = readCredentials(combine(null, [{ name, check, reply }])).auth === "reject";
  return !isRefusing && name.toLowerCase() !== DISABLED;
}

export function monthNow({ now, zone }: ReadOptions): string {
  return Temporal.Instant.fromEpochMilliseconds(now * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
    .slice(0, 7);
}
