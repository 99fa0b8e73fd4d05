import type { Moved, MovedSession, MovedSubscriber } from "../../model.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import { credentialsOf } from "./credentials.ts";
import { Packages } from "./packages.ts";
import { combine, isNeverSent, type Profile } from "./pairs.ts";
import { type Leave, readTerms, type TermsRead } from "./terms.ts";
import { type Around, type Counts, pairText, subscriberOf } from "./subscribers.ts";
import type { Tables } from "./tables.ts";
import { tellWhole } from "./tell.ts";
import { DISABLED, Names, type User, usersOf } from "./users.ts";

/** What the tables amount to. Throws MovingRefused where they have no users. */
export function movedOf(tables: Tables, options: ReadOptions): Moved {
  if (tables.users.size === 0 && tables.memberships.size === 0)
    throw new MovingRefused(
      "There is no radcheck in this copy with anybody in it. Copy the database that FreeRADIUS uses, with its data: see the handbook, Moving in.",
    );
  const { told } = options;
  const leave = leaveOnce(options);
  const users = [...usersOf(tables)];
  const packages = new Packages(told, tables.plans, leave);
  packages.learnPlans(users);
  const around: Around = {
    ...tables,
    options,
    leave,
    people: tables.people,
    accounting: tables.accounting,
    month: monthOf(options),
  };
  const counts: Counts = { datesAlone: 0, byFirstLogin: 0 };
  const sold = users.map((user) => ({ user, read: readUser(user, leave) }));
  packages.learnSessions(sold);
  const subscribers = sold.map(({ user, read }) => {
    const key = packages.ofUser(user, read);
    return subscriberOf(user, read, { key, duration: packages.periodOf(key) }, around, counts);
  });
  for (const group of tables.groups.values()) if (sells(group)) packages.ofGroup(group);
  const sessions = sessionsOf(tables, subscribers);
  tellWhole(tables, users, options, { ...counts, ...sessions });
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

/** The terms of a user; rows that mean something else here, or never meant anything, are told. */
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

/** Tells a row once, however many users it concerns. */
export function leaveOnce({ told }: ReadOptions): Leave {
  const done = new Set<string>();
  return (pair, why) => {
    const key = [pair.table, pair.owner, pair.name, pair.op, pair.value, why].join("\0");
    if (done.has(key)) return;
    done.add(key);
    told.add("term_left", pair.at, pair.owner, `${pairText(pair)}: ${why}`);
  };
}

/** The open sessions of who comes, under the names that they come with. */
export function sessionsOf(
  tables: Tables,
  subscribers: readonly MovedSubscriber[],
): { sessions: MovedSession[]; lost: number; strangers: number } {
  const names = new Names(new Map(subscribers.map(({ username }) => [username, username])));
  const { sessions, lost } = tables.accounting.open();
  const own = sessions.flatMap((session) => {
    const username = names.find(session.username);
    return username === undefined ? [] : [{ ...session, username }];
  });
  return { sessions: own, lost, strangers: sessions.length - own.length };
}

/** A group that refuses its users is no package, unless somebody has it all the same. */
function sells({ name, check, reply }: Profile): boolean {
  const isRefusing = credentialsOf(combine(null, [{ name, check, reply }])).auth === "reject";
  return !isRefusing && name.toLowerCase() !== DISABLED;
}

export function monthOf({ now, zone }: ReadOptions): string {
  return Temporal.Instant.fromEpochMilliseconds(now * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
    .slice(0, 7);
}
