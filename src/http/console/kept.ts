import { type Input, RepeatedField } from "../../domain/core/fields/fields.ts";

/** A form sent after the end of its session, kept until the next sign-in. */
export interface Kept {
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Secret fields, whose values are not kept. */
  readonly secrets: readonly string[];
}

/** Characters in all: more than any text form has. */
const LONGEST = 100_000;
const isSecret = (name: string) => /pass|secret|(?<!fiber_)code|current|chosen|again/i.test(name);

/** A path within the console; empty for anything else, which could lead to another site. */
export function ownPath(path: string): string {
  const isPath = /^\/console(?:[/?][^\\\p{Cc}]*)?$/u.test(path) && !path.includes("//");
  const leadsTo = isPath ? (URL.parse(path, "http://console")?.pathname ?? "") : ""; // without its dots
  return /^\/console(?:\/|$)/.test(leadsTo) ? path : "";
}

export function toKept(path: string, input: Input): Kept | undefined {
  const fields: [string, string][] = [];
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (name === "form_token") continue;
    const values = value instanceof RepeatedField ? value.values : [value];
    for (const one of values) {
      if (typeof one !== "string") continue;
      if (isSecret(name)) {
        if (one !== "" && !secrets.includes(name)) secrets.push(name);
      } else fields.push([name, one]);
    }
  }
  const kept = { path, fields, secrets };
  return JSON.stringify(kept).length <= LONGEST ? kept : undefined;
}

/** Encodes it for a hidden field. */
export function writeKept(kept: Kept | undefined): string {
  return kept ? JSON.stringify(kept) : "";
}

/** Decodes it. A browser sends it, so that only that browser may be shown it. */
export function readKept(text: unknown): Kept | undefined {
  if (typeof text !== "string" || text === "" || text.length > LONGEST) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const { path, fields, secrets }: { path?: unknown; fields?: unknown; secrets?: unknown } = read;
  if (typeof path !== "string" || ownPath(path) === "" || path.includes("?")) return undefined;
  if (!Array.isArray(fields) || !Array.isArray(secrets)) return undefined;
  const pairs = fields.flatMap((pair: unknown): [string, string][] => {
    const [name, value]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof name === "string" && typeof value === "string" ? [[name, value]] : [];
  });
  return { path, fields: pairs, secrets: secrets.filter((name: unknown) => typeof name === "string") };
}
