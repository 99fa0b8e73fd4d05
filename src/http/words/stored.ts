import { Phrase } from "../../domain/core/errors/phrase.ts";
import { modelsOf } from "./models.ts";

interface Pattern {
  readonly key: string;
  readonly text: RegExp;
}

let made: { exact: ReadonlySet<string>; patterns: readonly Pattern[] } | undefined;
/** Rows repeat what they were refused for. */
const found = new Map<string, Phrase>();
const MOST = 1000;

/**
 * The phrase that was stored as text: rows keep the English of what was refused, so that every program reads it, and pages tell it
 * in their reader's language. What is none of ours, such as the words of a gateway, stays as it is.
 */
export function storedPhrase(text: string): Phrase {
  const before = found.get(text);
  if (before) return before;
  if (found.size >= MOST) found.clear();
  const phrase = read(text);
  found.set(text, phrase);
  return phrase;
}

function read(text: string): Phrase {
  const { exact, patterns } = (made ??= patternsOf(Object.keys(modelsOf()["refusals"] ?? {})));
  if (exact.has(text)) return new Phrase(text, []);
  for (const { key, text: pattern } of patterns) {
    const values = pattern.exec(text)?.slice(1);
    if (values)
      return new Phrase(
        key,
        values.map((value) => {
          const within = read(value);
          return within.key === null ? value : within;
        }),
      );
  }
  return new Phrase(null, [text]);
}

/** Those with the most words of their own first, for others may fit as well; what is hardly more than values fits too much. */
function patternsOf(keys: readonly string[]) {
  const patterns = keys
    .map((key) => ({ key, own: key.replaceAll(/\{\d+\}/g, "").length }))
    .filter(({ key, own }) => key.includes("{0}") && own >= 11)
    .toSorted((one, other) => other.own - one.own)
    .map(({ key }) => {
      const source = key.split(/\{\d+\}/).map((part) => RegExp.escape(part));
      return { key, text: new RegExp(`^${source.join("(.+)")}$`, "s") };
    });
  return { exact: new Set(keys), patterns };
}
