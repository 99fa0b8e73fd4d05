import { DomainError } from "../../domain/core/errors/errors.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import { type Seen, seeAs, type SeenAs } from "../../domain/people/staff/see-as.ts";
import type { Db } from "../../../db/open.ts";
import type { Seconds } from "../../domain/core/time/time.ts";

/** Ends seeing as somebody else. */
export const SEEING_END = "/console/seeing/end";
/** Seconds until it ends by itself. */
export const SEEING_LIFE = 30 * 60;
const MAX_SESSIONS = 1000;

/** Sessions that see as somebody else, in memory, so that a restart ends it too. */
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

  /** The account seen as, checked at each request: what either has lost counts at once. `ended`: no longer allowed. */
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

function lookAs(db: Db, by: Actor, target: SeenAs): Seen | undefined {
  try {
    return seeAs(db, by, target);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
