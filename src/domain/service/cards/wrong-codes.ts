import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Wrong codes that an account may type in a minute. */
const MOST = 20;
const WINDOW = 60;

interface Tries {
  count: number;
  readonly since: Seconds;
}

/** Wrong codes by store and account. */
const tries = new WeakMap<object, Map<number, Tries>>();

/** Throws `too_soon` after too many wrong codes. The command line is exempt: it has the store. */
export function requireFewWrong({ $client }: Db, { staffId }: Actor, now: Seconds): void {
  if (staffId === null) return;
  const wrong = tries.get($client)?.get(staffId);
  if (!wrong || wrong.count < MOST || isOver(wrong, now)) return;
  const retryAfter = Math.max(1, wrong.since + WINDOW - now);
  throw new DomainError("too_soon", phrase`too many codes that are no card; try again in ${retryAfter} s`, {
    code: "rate_limited",
    retryAfter,
  });
}

export function tellWrong({ $client }: Db, { staffId }: Actor, now: Seconds): void {
  if (staffId === null) return;
  const accounts = tries.getOrInsertComputed($client, () => new Map<number, Tries>());
  const wrong = accounts.get(staffId);
  if (wrong && !isOver(wrong, now)) wrong.count++;
  else accounts.set(staffId, { count: 1, since: now });
}

function isOver({ since }: Tries, now: Seconds): boolean {
  return now >= since + WINDOW || now < since;
}
