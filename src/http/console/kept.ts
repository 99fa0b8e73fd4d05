import { type Input, RepeatedField } from "../../domain/core/fields/fields.ts";

/** A form that was sent after its session had ended, as it is kept until somebody is signed in again. */
export interface Kept {
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Fields whose values are not kept, for they are secrets. */
  readonly secrets: readonly string[];
}

/** Characters of all that is kept: more than any form of text has. */
const LONGEST = 100_000;
const isSecret = (name: string) => /pass|secret|(?<!fiber_)code|current|chosen|again/i.test(name);

/** A path that a browser follows to within the console; empty for anything else. */
export function ownPath(path: string): string {
  const isPath = /^\/console(?:[/?][^\\\p{Cc}]*)?$/u.test(path) && !path.includes("//");
  const leadsTo = isPath ? (URL.parse(path, "http://console")?.pathname ?? "") : ""; // without its dots
  return /^\/console(?:\/|$)/.test(leadsTo) ? path : "";
}

/** What is kept of a form; undefined where it is too much. */
export function keptOf(path: string, input: Input): Kept | undefined {
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

/** As a hidden field carries it. */
export function writeKept(kept: Kept | undefined): string {
  return kept ? JSON.stringify(kept) : "";
}

/** What a hidden field carries; it is what a browser says, so that nothing follows from it but what that browser shows. */
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
