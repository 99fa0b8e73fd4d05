import type { Origin } from "../../model.ts";
import { combine, type Combined, type Profile } from "./pairs.ts";
import type { Plan } from "./plans.ts";
import type { Person } from "./people.ts";
import type { Tally } from "./accounting.ts";
import { credentialsOf } from "./credentials.ts";
import type { Tables } from "./tables.ts";

/** A user, with all that its name stands beside. */
export interface User {
  readonly at: Origin;
  readonly username: string;
  readonly combined: Combined;
  /** false: by its group, or by Auth-Type. */
  readonly isEnabled: boolean;
  readonly person: Person | null;
  readonly plan: Plan | null;
  readonly tally: Tally | null;
}

/** The group that daloRADIUS puts users into that may not log in. */
export const DISABLED = "daloradius-disabled-users";

/** Who is meant where MySQL looks for a name: it tells neither letters by case nor blanks at the end apart. */
const fold = (name: string) => name.trimEnd().toLowerCase();

/** Finds by name as written, else as MySQL would. */
export class Names<T> {
  readonly #exact: ReadonlyMap<string, T>;
  readonly #folded = new Map<string, T>();

  constructor(exact: ReadonlyMap<string, T>) {
    this.#exact = exact;
    for (const [name, value] of exact) if (!this.#folded.has(fold(name))) this.#folded.set(fold(name), value);
  }

  find(name: string): T | undefined {
    return this.#exact.get(name) ?? this.#folded.get(fold(name));
  }
}

/** All users in the order in which they are first named; rows whose name is written another way belong to who has a login of that name. */
export function* usersOf(tables: Tables): Generator<User> {
  const people = new Names(tables.people.users);
  const tallies = new Names(tables.accounting.users);
  const groups = new Names(tables.groups);
  const bare = new Map<string, Profile>(); // groups without rows
  for (const [username, spellings] of spellingsOf(tables)) {
    const profile = profileOf(tables, username, spellings);
    const memberships = spellings.flatMap((name) => tables.memberships.get(name) ?? []);
    const inOrder = memberships.toSorted((a, b) => a.priority - b.priority).map(({ group }) => group);
    const own = [...new Set(inOrder)]
      .filter((group) => fold(group) !== DISABLED)
      .map((group) => groups.find(group) ?? bareOf(bare, group));
    const person = people.find(username) ?? null;
    const { combined, isRejected } = letIn(profile, own);
    yield {
      at: tables.origins.get(spellings[0] ?? username) ?? { file: "", line: 0 },
      username,
      combined,
      isEnabled: !isRejected && own.length === new Set(inOrder).size,
      person,
      plan: (person?.bill && tables.plans.named(person.bill.plan)) ?? null,
      tally: tallies.find(username) ?? null,
    };
  }
}

function bareOf(groups: Map<string, Profile>, name: string): Profile {
  const group = groups.get(name) ?? { name, check: [], reply: [] };
  groups.set(name, group);
  return group;
}

/** What holds for who would be let in: a group that refuses its users says nothing of what they are sold. */
function letIn(profile: Profile, groups: readonly Profile[]): { combined: Combined; isRejected: boolean } {
  const combined = combine(profile, groups);
  if (credentialsOf(combined).auth !== "reject") return { combined, isRejected: false };
  const selling = groups.filter((group) => credentialsOf(combine(null, [group])).auth !== "reject");
  return { combined: combine(profile, selling), isRejected: true };
}

/** Each username with the ways it is written: the way of radcheck is the username. */
function spellingsOf(tables: Tables): Map<string, string[]> {
  const families = new Map<string, string[]>();
  for (const name of tables.origins.keys()) {
    if (name.toUpperCase() === "DEFAULT") continue;
    families.set(fold(name), [...(families.get(fold(name)) ?? []), name]);
  }
  const found = new Map<string, string[]>();
  for (const family of families.values()) {
    const logins = family.filter((name) => (tables.users.get(name)?.check.length ?? 0) > 0);
    const [first = family[0] ?? "", ...others] = logins;
    found.set(first, [first, ...family.filter((name) => name !== first && !others.includes(name))]);
    for (const other of others) found.set(other, [other]);
  }
  return found;
}

function profileOf(tables: Tables, name: string, spellings: readonly string[]): Profile {
  const profiles = spellings.flatMap((spelling) => tables.users.get(spelling) ?? []);
  return {
    name,
    check: profiles.flatMap(({ check }) => check),
    reply: profiles.flatMap(({ reply }) => reply),
  };
}
