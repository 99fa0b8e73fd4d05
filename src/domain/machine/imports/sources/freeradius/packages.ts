import type { MovedPackage, Origin } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import { combine, type Profile } from "./pairs.ts";
import { type Plan, type Plans, toPeriod } from "./plans.ts";
import { type Leave, readTerms, type Terms, type TermsRead, UNLIMITED_SESSIONS } from "./terms.ts";
import type { User } from "./users.ts";

const NO_GROUP = "No group";
const LONGEST = 120;

/** Frequencies of plans and session limits in a group. */
interface Habits {
  readonly group: Profile;
  readonly plans: Map<Plan, number>;
  readonly sessions: Map<number, number>;
}

const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** A package for each group and each further set of terms. */
export class Packages {
  readonly #found = new Map<string, { readonly terms: string; readonly moved: MovedPackage }>();
  readonly #bases = new Map<string, TermsRead>();
  readonly #defaultPlans = new Map<string, Plan | null>();
  readonly #notices: Notices;
  readonly #leave: Leave;
  readonly #plans: Plans;

  constructor(notices: Notices, plans: Plans, leave: Leave) {
    this.#notices = notices;
    this.#plans = plans;
    this.#leave = leave;
  }

  learn(sold: Iterable<{ readonly user: User; readonly read: TermsRead }>): void {
    const groups = new Map<string, Habits>();
    for (const { user, read } of sold) {
      const [group] = user.combined.taken;
      if (!group) continue;
      const habits = groups.get(group.name) ?? { group, plans: new Map(), sessions: new Map() };
      groups.set(group.name, habits);
      if (user.plan) count(habits.plans, user.plan);
      count(habits.sessions, read.terms.simultaneous_use ?? UNLIMITED_SESSIONS);
    }
    for (const [group, { plans }] of groups) {
      if (plans.size === 0) continue;
      const [most] = [...plans].sort((a, b) => b[1] - a[1] || (a[0].name < b[0].name ? -1 : 1));
      this.#defaultPlans.set(group, this.#plans.ofGroup(group) ?? most?.[0] ?? null);
    }
    this.#learnSessions([...groups.values()]);
  }

  /** A Simultaneous-Use that most users of a group share becomes the group's, or each group would give two packages, one of them empty. */
  #learnSessions(groups: readonly Habits[]): void {
    // notices of groups come first
    const bases = groups.map(({ group, sessions }) => ({ group, sessions, base: this.#base(group) }));
    for (const { group, sessions: numbers, base } of bases) {
      if (base.terms.simultaneous_use !== UNLIMITED_SESSIONS) continue;
      const users = [...numbers.values()].reduce((sum, of) => sum + of, 0);
      const [sessions, most] = [...numbers].reduce((best, next) => (next[1] > best[1] ? next : best));
      if (sessions === UNLIMITED_SESSIONS || most < 2 || most * 2 <= users) continue;
      this.#bases.set(group.name, { ...base, terms: { ...base.terms, simultaneous_use: sessions } });
      const text = `has no Simultaneous-Use there, but ${most} of its ${users} users have ${sessions}: so has the package`;
      this.#notices.add("note", firstOrigin(group), group.name, text);
    }
  }

  ofGroup(group: Profile, at: Origin = firstOrigin(group)): string {
    return this.#make(group.name, this.#base(group).terms, this.#findPlan(group.name), at, this.#base(group));
  }

  ofUser(user: User, read: TermsRead): string {
    const [group, ...more] = user.combined.taken;
    const base = group && this.#base(group);
    const plan = user.plan ?? (group ? this.#findPlan(group.name) : null);
    const differences = listDifferences(base?.terms ?? { simultaneous_use: UNLIMITED_SESSIONS }, read.terms);
    const isSold = plan !== (group ? this.#findPlan(group.name) : null);
    if (group && differences.length === 0 && !isSold) return this.ofGroup(group);
    const origins = group
      ? [...new Set([group.name, ...(differences.length > 0 ? more.map(({ name }) => name) : [])])]
      : [];
    const parts = [origins.join(" + "), isSold ? plan?.name : "", ...differences].filter((part) => part);
    const name = parts.join(", ") || NO_GROUP;
    const key = this.#make(name, read.terms, plan, user.at, read);
    if (name !== NO_GROUP) this.#tellOwn(user, key);
    return key;
  }

  get all(): readonly MovedPackage[] {
    return [...this.#found.values()].map(({ moved }) => moved);
  }

  period(key: string): MovedPackage["duration"] {
    return this.#found.get(key)?.moved.duration;
  }

  #tellOwn({ at, username, combined: { taken: used } }: User, key: string): void {
    const than = used.length === 0 ? "is in no group" : `is not quite as ${used[0]?.name ?? ""} is alone`;
    this.#notices.add("package_made", at, username, `${than}: its package is "${key}"`);
  }

  #base(group: Profile): TermsRead {
    const known = this.#bases.get(group.name);
    if (known) return known;
    const read = readTerms(combine(null, [group]), this.#leave);
    this.#bases.set(group.name, read);
    return read;
  }

  #findPlan(group: string): Plan | null {
    return this.#defaultPlans.get(group) ?? this.#plans.ofGroup(group) ?? null;
  }

  #make(name: string, terms: Terms, plan: Plan | null, at: Origin, { accessPeriod }: TermsRead): string {
    const same = JSON.stringify([Object.entries(terms).sort(), plan?.name ?? null]);
    for (let count = 1; ; count++) {
      const end = count === 1 ? "" : ` ${count}`;
      const key = name.slice(0, LONGEST - end.length) + end;
      const there = this.#found.get(key);
      if (there?.terms === same) return key;
      if (there) continue;
      this.#found.set(key, { terms: same, moved: toMovedPackage(key, terms, plan, at, accessPeriod) });
      if (terms.simultaneous_use === UNLIMITED_SESSIONS)
        this.#notices.add(
          "note",
          at,
          key,
          `has no Simultaneous-Use there, so that its users may be online any number of times`,
        );
      return key;
    }
  }
}

function toMovedPackage(
  key: string,
  terms: Terms,
  plan: Plan | null,
  at: Origin,
  accessPeriod: number | null,
): MovedPackage {
  const duration = plan?.duration ?? (accessPeriod === null ? undefined : toPeriod(accessPeriod));
  return {
    at,
    key,
    name: key,
    price: plan?.price ?? null,
    ...(plan && { billing_type: plan.billing_type ?? "prepaid", enabled: plan.enabled ?? true }),
    ...(duration && { duration }),
    ...terms,
  };
}

function firstOrigin({ check, reply }: Profile): Origin {
  return check[0]?.at ?? reply[0]?.at ?? { file: "", line: 0 };
}

/** Names of differing terms, and of a missing one. */
const labels: Readonly<Record<keyof Terms, readonly [(value: string | number) => string, without: string]>> =
  {
    rate_limit: [String, "no rate"],
    data_quota_bytes: [(bytes) => bytesText(Number(bytes)), "no quota"],
    framed_pool: [(pool) => `pool ${pool}`, "no pool"],
    framed_ipv6_pool: [(pool) => `IPv6 pool ${pool}`, "no IPv6 pool"],
    delegated_ipv6_pool: [(pool) => `delegated pool ${pool}`, "no delegated pool"],
    address_list: [(list) => `list ${list}`, "no list"],
    simultaneous_use: [
      (count) => (count === UNLIMITED_SESSIONS ? "any number online" : `${count} online`),
      "any number online",
    ],
    idle_timeout: [(seconds) => `idle ${seconds} s`, "no idle timeout"],
  };
const termNames = Object.keys(labels) as (keyof Terms)[];

/** Distinguishes any two sets. */
function listDifferences(base: Terms, own: Terms): string[] {
  return termNames
    .filter((name) => base[name] !== own[name])
    .map((name) => {
      const [format, without] = labels[name];
      return own[name] === undefined || own[name] === null ? without : format(own[name]);
    });
}

function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ["GiB", 2 ** 30],
    ["GB", 1e9],
    ["MB", 1e6],
  ] as const)
    if (bytes % size === 0) return `${bytes / size} ${unit}`;
  return `${bytes} bytes`;
}
