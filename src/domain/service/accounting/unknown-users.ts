import { NOT_LAST_CHANGED } from "../../../../db/record-changes.ts";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

/** Sessions of unknown names per NAS and hour before the oldest are dropped. */
export const UNKNOWN_USERS_AN_HOUR = 1000;
const HOUR = 3600;

/** A NAS's rows of this hour, a ring buffer once full. */
interface Hour {
  index: number;
  readonly ids: number[];
  next: number;
}

/**
 * Keeps invented names from filling the disk: anybody with a NAS's secret can report any number of sessions. Those of
 * subscribers and cards are never dropped. Drops are counted in the store, for check and metrics.
 */
export class UnknownUsers {
  readonly #hours = new Map<number, Hour>();
  readonly #drop;
  readonly #count;

  constructor({ $client }: Db) {
    this.#drop = $client.query<unknown, [number]>(
      `DELETE FROM sessions WHERE id = ? AND subscriber_id IS NULL AND card_id IS NULL AND ${NOT_LAST_CHANGED}`,
    );
    this.#count = $client.query<unknown, [number, number]>(
      `INSERT INTO dropped_sessions (nas_id, total, last_at) VALUES (?, 1, ?)
       ON CONFLICT DO UPDATE SET total = total + 1, last_at = excluded.last_at`,
    );
  }

  /**
   * Adds a session of an unknown name, and drops the hour's oldest when there are too many; returns whether it was the first
   * drop. `teller` is the router, or negative the access box where the primary has no such router.
   */
  add(teller: number, sessionId: number, at: Seconds): boolean {
    const hour = this.#findHour(teller, Math.floor(at / HOUR));
    if (hour.ids.length < UNKNOWN_USERS_AN_HOUR) {
      hour.ids.push(sessionId);
      return false;
    }
    const isFirst = hour.next === UNKNOWN_USERS_AN_HOUR;
    const place = hour.next % UNKNOWN_USERS_AN_HOUR;
    this.#drop.run(hour.ids[place] ?? 0);
    if (teller > 0) this.#count.run(teller, at);
    hour.ids[place] = sessionId;
    hour.next++;
    return isFirst;
  }

  #findHour(teller: number, index: number): Hour {
    const known = this.#hours.get(teller);
    if (known?.index === index) return known;
    const hour: Hour = { index, ids: [], next: UNKNOWN_USERS_AN_HOUR };
    this.#hours.set(teller, hour);
    return hour;
  }
}
