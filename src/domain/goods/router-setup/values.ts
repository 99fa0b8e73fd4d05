import { boundsIn } from "./bounds.ts";

export type Item = Readonly<Partial<Record<string, string>>>;

/** Written properties. */
export type Values = Readonly<Record<string, string>>;

const secrets = new Set(["secret", "password"]);
export const isSecret = (name: string) => secrets.has(name);

const durations = new Set(["timeout", "interim-update", "radius-interim-update"]);
const lists = new Set([
  "service",
  "policy",
  "address",
  "dst-port",
  "src-port",
  "servers",
  "server-dns-names",
]);
const truths: Readonly<Record<string, string>> = { true: "yes", false: "no" };

/** API and terminal notation. */
export const isYes = (text: string | undefined): boolean => text === "true" || text === "yes";

/** Versions print values differently. */
export function isSame(name: string, one: string | undefined, other: string | undefined): boolean {
  return canonical(name, one ?? "") === canonical(name, other ?? "");
}

export function differing(item: Item, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSame(name, item[name], value)),
  );
}

export function pick(item: Item, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, item[name] ?? ""]));
}

export function fits(item: Item, values: Values): boolean {
  return Object.entries(values).every(([name, value]) => isSame(name, item[name], value));
}

function canonical(name: string, text: string): string {
  if (name === "queue-type") return text.replace(/^(.+)\/\1$/, "$1");
  if (name === "dst-limit") return text.replace(/\/1s(?=,)|\/[^,]*$/g, "");
  if (durations.has(name)) return String(parseMilliseconds(text) ?? text);
  if (lists.has(name))
    return text
      .split(",")
      .filter((one) => one !== "" && !one.startsWith("!")) // a group prints what it may not, too
      .map((one) => boundsIn(one)?.join("-") ?? one.replace(/\/128$/, ""))
      .sort()
      .join(",");
  return truths[text] ?? (name === "disabled" && text === "" ? "no" : text);
}

/** `3s`, `5m`, `00:05:00`, `1500ms` in milliseconds. */
export function parseMilliseconds(text: string): number | undefined {
  const clock = /^(\d+):(\d\d):(\d\d)$/.exec(text);
  if (clock) return (Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1000;
  if (!/^(?:\d+(?:ms|[wdhms]))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|[wdhms])/g)];
  return parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * (units[unit] ?? 0), 0);
}

const units: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};
