import { Phrase, phrases } from "../../domain/core/errors/phrase.ts";
import { readModels } from "./models.ts";

interface Pattern {
  readonly key: string;
  /** What stands before, between and behind its values. */
  readonly parts: readonly string[];
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
  const { exact } = (made ??= buildPatterns());
  const phrase = (exact.has(text) ? undefined : findSeveral(text)) ?? read(text);
  found.set(text, phrase);
  return phrase;
}

/** Most of them that one text is; each is looked for once. */
const SEVERAL = 4;

/** Phrases one after the other, such as of a router that neither of two ways ended a session at; undefined: it is one, or none of ours. */
function findSeveral(text: string): Phrase | undefined {
  let at = text.indexOf(BETWEEN);
  for (let tries = 0; tries < SEVERAL && at >= 0; tries++) {
    const all = [text.slice(0, at), text.slice(at + BETWEEN.length)].map(read);
    if (all.every(({ key }) => key !== null)) return phrases(all, BETWEEN);
    at = text.indexOf(BETWEEN, at + 1);
  }
  return undefined;
}

const BETWEEN = "; ";

function read(text: string): Phrase {
  const { exact, patterns } = (made ??= buildPatterns());
  if (exact.has(text)) return new Phrase(text, []);
  for (const { key, parts } of patterns) {
    const values = matchValues(text, parts);
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

/**
 * What stands between the parts, none of it empty and each as long as it can be; undefined: the text is not of them. From its end and without
 * going back, for a regular expression takes seconds for what somebody made for it, and a router says what it likes.
 */
function matchValues(text: string, [first = "", ...others]: readonly string[]): string[] | undefined {
  const last = others.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let end = text.length - last.length;
  for (const part of others.slice(0, -1).reverse()) {
    const at = end - 1 - part.length < 0 ? -1 : text.lastIndexOf(part, end - 1 - part.length);
    if (at < 0) return undefined;
    values.unshift(text.slice(at + part.length, end));
    end = at;
  }
  return end > first.length ? [text.slice(first.length, end), ...values] : undefined;
}

/** Those with the most words of their own first, for others may fit as well; what is hardly more than values fits too much. */
function buildPatterns() {
  const keys = Object.keys(readModels()["refusals"] ?? {});
  const patterns = keys
    .map((key) => ({ key, own: key.replaceAll(/\{\d+\}/g, "").length }))
    .filter(({ key, own }) => key.includes("{0}") && own >= 11)
    .toSorted((one, other) => other.own - one.own)
    .map(({ key }) => ({ key, parts: key.split(/\{\d+\}/) }));
  return { exact: new Set(keys), patterns };
}
