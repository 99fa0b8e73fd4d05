import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Owner } from "./authority.ts";

/** Spare open sessions of a holder beyond twice its limit: routers that lose every Stop stay below. */
export const SPARE_SESSIONS = 50;

interface Standing {
  open: number;
  most: number;
}

export interface Closed {
  id: number;
  at: Seconds;
}

const MAX_KNOWN = 100_000;
/** Sessions that a holder opens before it is counted first: most open one, and each count costs a twentieth of its Start. */
const UNCOUNTED = 8;

/**
 * Limits one holder's open sessions, since each Start scans them, and anybody with a router's secret can report any number.
 * Statements are prepared once.
 */
export class HolderLimit {
  readonly #ofSubscriber;
  readonly #ofCard;
  /** How many more a holder may open before it is counted again; cards have negative keys. Sessions that close only add room. */
  readonly #room = new Map<number, number>();

  constructor({ $client }: Db) {
    const prepare = (column: "subscriber_id" | "card_id", allowed: string) => ({
      standing: $client.query<Standing, [number]>(
        `SELECT count(*) AS open, 2 * ifnull((${allowed}), 1) + ${SPARE_SESSIONS} AS most
         FROM sessions WHERE ${column} = ?1 AND stopped_at IS NULL`,
      ),
      close: $client.query<Closed, [number, number, number]>(
        `UPDATE sessions SET stopped_at = updated_at, closed_by = 'lost', terminate_cause = 'lost', ${SESSION_CHANGED} WHERE id IN
           (SELECT id FROM sessions WHERE ${column} = ? AND stopped_at IS NULL AND id <> ? ORDER BY updated_at, id LIMIT ?)
         RETURNING id, updated_at AS at`,
      ),
    });
    this.#ofSubscriber = prepare(
      "subscriber_id",
      "SELECT simultaneous_use FROM services WHERE subscriber_id = ?1",
    );
    this.#ofCard = prepare(
      "card_id",
      "SELECT b.simultaneous_use FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = ?1",
    );
  }

  /** When the limit is exceeded, closes an eighth, those with the oldest reports, so that a flood is not counted at each session. */
  opened({ subscriberId, cardId }: Owner, sessionId: number): Closed[] {
    const holder = subscriberId ?? cardId;
    if (holder === null) return [];
    const key = subscriberId ?? -holder;
    const room = this.#room.get(key) ?? UNCOUNTED;
    if (room > 0) {
      if (this.#room.size >= MAX_KNOWN) this.#room.clear();
      this.#room.set(key, room - 1);
      return [];
    }
    const { standing, close } = subscriberId === null ? this.#ofCard : this.#ofSubscriber;
    const { open, most } = standing.get(holder) ?? { open: 0, most: 0 };
    const closed = open > most ? close.all(holder, sessionId, open - most + Math.floor(most / 8)) : [];
    this.#room.set(key, most - open + closed.length);
    return closed;
  }
}
