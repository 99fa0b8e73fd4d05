import type { Values } from "./values.ts";

/** Of RouterOS, as 7 and 15 of 7.15.3. */
export interface RouterVersion {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

/** The oldest that is set up; older ones sign in another way and lack half of it. */
export const OLDEST = "6.49";

interface Difference {
  readonly menu: string;
  readonly name: string;
  /** The first version that knows it. */
  readonly since: string;
  /** What older ones call it; null: they have nothing like it. */
  readonly before: string | null;
}

/** What is not called the same in every version that we set up. */
const differences: readonly Difference[] = [
  { menu: "/radius", name: "require-message-auth", since: "7.15", before: null },
  { menu: "/system/ntp/client", name: "servers", since: "7.0", before: "server-dns-names" },
];

/** `7.15.3 (stable)`, `6.49.10`, `7.16rc2`; undefined for what is no version. */
export function parseVersion(text: string): RouterVersion | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return { text: text.replace(/ \(.*$/, ""), major: Number(major), minor: Number(minor) };
}

export function isSince({ major, minor }: RouterVersion, since: string): boolean {
  const [needed = 0, least = 0] = since.split(".").map(Number);
  return major > needed || (major === needed && minor >= least);
}

/** What a version calls a property; null where it has none. */
export function nameIn(version: RouterVersion, menu: string, name: string): string | null {
  const differing = differences.find((one) => one.menu === menu && one.name === name);
  return !differing || isSince(version, differing.since) ? name : differing.before;
}

/** The values under the names of a version, and the names of what it does not know. */
export function valuesIn(version: RouterVersion, menu: string, values: Values) {
  const known: Record<string, string> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const own = nameIn(version, menu, name);
    if (own === null) unknown.push(name);
    else known[own] = value;
  }
  return { known, unknown };
}

/** Whether a version of those that we set up does not know a property, so that it is said by a command of its own. */
export function isRecent(menu: string, name: string): boolean {
  return differences.some((one) => one.menu === menu && one.name === name && one.before === null);
}
