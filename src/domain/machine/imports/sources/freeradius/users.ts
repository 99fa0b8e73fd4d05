import type { Origin } from "../../model.ts";
import { fold } from "../../scratch.ts";
import { combine, type Combined, type Profile } from "./pairs.ts";
import type { Plan } from "./plans.ts";
import type { Person } from "./people.ts";
import type { Tally } from "./accounting.ts";
import { readCredentials } from "./credentials.ts";
import type { Named, Tables } from "./tables.ts";

export interface User {
  readonly at: Origin;
  readonly username: string;
  readonly combined: Combined;
  readonly isEnabled: boolean;
  readonly person: Person | null;
  readonly plan: Plan | null;
  readonly tally: Tally | null;
}

/** daloRADIUS's group of disabled users. */
export const DISABLED = "daloradius-disabled-users";

/** Values by name: as it is written, else without case. */
class Names<T> {
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

/** Users in order of appearance; other spellings of a name belong to its user. */
export class Users implements Iterable<User> {
  readonly #tables: Tables;
  readonly #groups: Names<Profile>;
  /** Groups that users name and no table has. */
  readonly #bare = new Map<string, Profile>();

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#groups = new Names(tables.groups);
  }

  *[Symbol.iterator](): Generator<User, void> {
    for (const [named, spellings] of listSpellings(this.#tables))
      yield toUser(this.#tables, named, { spellings, groups: this.#groups, bare: this.#bare });
  }
}

interface Known {
  readonly spellings: readonly string[];
  readonly groups: Names<Profile>;
  readonly bare: Map<string, Profile>;
}

function toUser(
  tables: Tables,
  { name: username, file, line }: Named,
  { spellings, groups, bare }: Known,
): User {
  const profile = joinProfiles(tables, username, spellings);
  const memberships = spellings.flatMap((name) => tables.listMemberships(name));
  const inOrder = memberships.toSorted((a, b) => a.priority - b.priority).map(({ group }) => group);
  const own = [...new Set(inOrder)]
    .filter((group) => fold(group) !== DISABLED)
    .map((group) => groups.find(group) ?? bareGroup(bare, group));
  const person = tables.people.users.find(username) ?? null;
  const { combined, isRejected } = letIn(profile, own);
  return {
    at: { file, line },
    username,
    combined,
    isEnabled: !isRejected && own.length === new Set(inOrder).size,
    person,
    plan: (person?.bill && tables.plans.named(person.bill.plan)) ?? null,
    tally: tables.accounting.users.find(username) ?? null,
  };
}

function bareGroup(groups: Map<string, Profile>, name: string): Profile {
  const group = groups.get(name) ?? { name, check: [], reply: [] };
  groups.set(name, group);
  return group;
}

/** What a user and its groups give together; `isRejected`: one of them rejects, and those groups are left out. */
function letIn(profile: Profile, groups: readonly Profile[]): { combined: Combined; isRejected: boolean } {
  const combined = combine(profile, groups);
  if (readCredentials(combined).auth !== "reject") return { combined, isRejected: false };
  const selling = groups.filter((group) => readCredentials(combine(null, [group])).auth !== "reject");
  return { combined: combine(profile, selling), isRejected: true };
}

/** FreeRADIUS's entry for unknown names. */
export const isNobody = (name: string) => name.toUpperCase() === "DEFAULT";

/** Spellings of usernames: radcheck's counts. */
function* listSpellings(tables: Tables): Generator<[Named, string[]], void> {
  for (const one of tables.names()) {
    if (isNobody(one.name)) continue;
    const family = tables.namesLike(one.key).filter(({ name }) => !isNobody(name));
    if (family[0]?.id !== one.id) continue; // another spelling of one that came before
    const logins = family.length === 1 ? family : family.filter(({ name }) => tables.isChecked(name));
    const [first = one, ...others] = logins;
    const rest = family.filter((each) => each !== first && !others.includes(each));
    yield [first, [first, ...rest].map(({ name }) => name)];
    for (const other of others) yield [other, [other.name]];
  }
}

function joinProfiles(tables: Tables, name: string, spellings: readonly string[]): Profile {
  const profiles = spellings.flatMap((spelling) => tables.findProfile(spelling) ?? []);
  return {
    name,
    check: profiles.flatMap(({ check }) => check),
    reply: profiles.flatMap(({ reply }) => reply),
  };
}
