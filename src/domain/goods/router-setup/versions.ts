import type { Values } from "./values.ts";

export interface RouterVersion {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

/** Older ones differ too much. */
export const OLDEST = "6.49";

interface Difference {
  readonly menu: string;
  readonly name: string;
  readonly since: string;
  readonly before: string | null;
}

/** Names that differ by version. */
const differences: readonly Difference[] = [
  { menu: "/radius", name: "require-message-auth", since: "7.15", before: null },
  { menu: "/system/ntp/client", name: "servers", since: "7.0", before: "server-dns-names" },
];

/** A version of RouterOS; undefined: the text is none. */
export function parseVersion(text: string): RouterVersion | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return { text: text.replace(/ \(.*$/, ""), major: Number(major), minor: Number(minor) };
}

export function isSince({ major, minor }: RouterVersion, since: string): boolean {
  const [needed = 0, least = 0] = since.split(".").map(Number);
  return major > needed || (major === needed && minor >= least);
}

/** What a version calls a property; null: it does not know it. */
export function nameIn(version: RouterVersion, menu: string, name: string): string | null {
  const differing = differences.find((one) => one.menu === menu && one.name === name);
  return !differing || isSince(version, differing.since) ? name : differing.before;
}

/** Values by version, and unknown names. */
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

export function isRecent(menu: string, name: string): boolean {
  return differences.some((one) => one.menu === menu && one.name === name && one.before === null);
}
