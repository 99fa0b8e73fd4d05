import { DomainError } from "../../domain/core/errors/errors.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import { type Seen, seeAs, type SeenAs } from "../../domain/people/staff/see-as.ts";
import type { Db } from "../../../db/open.ts";
import type { Seconds } from "../../domain/core/time/time.ts";

/** Where looking with somebody else's eyes ends. */
export const SEEING_END = "/console/seeing/end";
/** Seconds after which somebody is themselves again. */
export const SEEING_LIFE = 30 * 60;
const MAX_SESSIONS = 1000;

/** Sessions of the console that look at it with somebody else's eyes: kept in memory, so that a restart ends it too. */
export class Seeing {
  readonly #of = new Map<string, { readonly target: SeenAs; readonly until: Seconds }>();

  begin(sessionKey: string, target: SeenAs, now: Seconds): void {
    this.#of.delete(sessionKey);
    this.#of.set(sessionKey, { target, until: now + SEEING_LIFE });
    if (this.#of.size <= MAX_SESSIONS) return;
    const [oldest = ""] = this.#of.keys();
    this.#of.delete(oldest);
  }

  end(sessionKey: string): void {
    this.#of.delete(sessionKey);
  }

  /**
   * As whom a session looks, asked anew each time: what either of the two has lost meanwhile counts at once. `ended` is that it may
   * not any more, until somebody ends it.
   */
  at(
    db: Db,
    { key, by }: { key: string; by: Actor },
    now: Seconds,
  ): { seen: Seen; target: SeenAs } | "ended" | undefined {
    const found = this.#of.get(key);
    if (!found) return undefined;
    const seen = found.until > now ? lookAs(db, by, found.target) : undefined;
    return seen ? { seen, target: found.target } : "ended";
  }
}

/** Undefined where it may not be, or not any more. */
function lookAs(db: Db, by: Actor, target: SeenAs): Seen | undefined {
  try {
    return seeAs(db, by, target);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
