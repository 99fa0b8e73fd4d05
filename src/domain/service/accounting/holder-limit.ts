import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Owner } from "./authority.ts";

/** Open sessions of one subscriber or card beside twice those that it may have: routers that lose every Stop stay below it. */
export const SPARE_SESSIONS = 50;

/** How many there are, and may be. */
interface Standing {
  open: number;
  most: number;
}

/** An open session that was closed, as of its last report. */
export interface Closed {
  id: number;
  at: Seconds;
}

const MAX_KNOWN = 100_000;

/**
 * Bounds the open sessions of one holder, since each Start looks through them, and whoever has the secret of a router can report any
 * number of them. Its statements are prepared once.
 */
export class HolderLimit {
  readonly #ofSubscriber;
  readonly #ofCard;
  /** How many more a holder may open before it is looked at again; those of cards are negative. What closes meanwhile only adds room. */
  readonly #room = new Map<number, number>();

  constructor({ $client }: Db) {
    const prepare = (column: "subscriber_id" | "card_id", allowed: string) => ({
      standing: $client.query<Standing, [number]>(
        `SELECT count(*) AS open, 2 * ifnull((${allowed}), 1) + ${SPARE_SESSIONS} AS most
         FROM sessions WHERE ${column} = ?1 AND stopped_at IS NULL`,
      ),
      close: $client.query<Closed, [number, number, number]>(
        `UPDATE sessions SET stopped_at = updated_at, closed_by = 'lost', terminate_cause = 'lost' WHERE id IN
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

  /**
   * Closes the sessions that were heard of longest ago where one more than there may be was opened: an eighth, so that whoever goes on
   * opening them is not looked at each time.
   */
  opened({ subscriberId, cardId }: Owner, sessionId: number): Closed[] {
    const holder = subscriberId ?? cardId;
    if (holder === null) return [];
    const key = subscriberId ?? -holder;
    const room = this.#room.get(key) ?? 0;
    if (room > 0) {
      this.#room.set(key, room - 1);
      return [];
    }
    const { standing, close } = subscriberId === null ? this.#ofCard : this.#ofSubscriber;
    const { open, most } = standing.get(holder) ?? { open: 0, most: 0 };
    if (this.#room.size >= MAX_KNOWN) this.#room.clear();
    const closed = open > most ? close.all(holder, sessionId, open - most + Math.floor(most / 8)) : [];
    this.#room.set(key, most - open + closed.length);
    return closed;
  }
}
