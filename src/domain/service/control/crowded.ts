import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

interface Crowded {
  readonly sessionId: number;
  readonly nasAddress: string;
}

interface Beside extends Crowded {
  readonly holder: number;
  readonly viaBox: number | null;
  readonly mac: string | null;
  readonly startedAt: Seconds;
  readonly room: number;
}

/**
 * This machine's sessions that exceed the limit together with those of other access boxes, after both accepted one name unaware
 * of each other. The oldest by start are ended, so that every machine selects the same ones and ends its own. A session
 * replaced by the same device at the same router is over; sessions all through one box were limited at login.
 */
export function crowdedSessions(db: Db, subscriberId?: number): (Crowded & { subscriberId: number })[] {
  const crowded = subscriberId === undefined ? ofAll(db, SUBSCRIBERS) : ofOne(db, SUBSCRIBER, subscriberId);
  return crowded.map(({ sessionId, nasAddress, holder }) => ({
    sessionId,
    nasAddress,
    subscriberId: holder,
  }));
}

/** The same for cards. */
export function crowdedCardSessions(db: Db, cardId?: number): (Crowded & { cardId: number })[] {
  const crowded = cardId === undefined ? ofAll(db, CARDS) : ofOne(db, CARD, cardId);
  return crowded.map(({ sessionId, nasAddress, holder }) => ({ sessionId, nasAddress, cardId: holder }));
}

type Held = Crowded & { readonly holder: number };

const SEVERAL = (holder: string, index: string) =>
  `(SELECT ${holder} AS id FROM sessions INDEXED BY ${index} WHERE stopped_at IS NULL AND ${holder} IS NOT NULL GROUP BY ${holder} HAVING count(*) > 1)`;
const ONE = "(SELECT ?1 AS id)";
const COLUMNS =
  "s.id AS sessionId, s.nas_address AS nasAddress, m.id AS holder, s.via_box AS viaBox, s.mac, s.started_at AS startedAt";
// order by facts that are equal on every machine; row ids are not
const ORDER = "ORDER BY m.id, s.started_at, s.nas_address, s.acct_session_id, s.username";

const selectSubscribers = (who: string) =>
  `SELECT ${COLUMNS}, v.simultaneous_use AS room FROM ${who} m
   CROSS JOIN sessions s INDEXED BY sessions_open_subscriber ON s.subscriber_id = m.id AND s.stopped_at IS NULL
   JOIN services v ON v.subscriber_id = m.id ${ORDER}`;
const selectCards = (who: string) =>
  `SELECT ${COLUMNS}, b.simultaneous_use AS room FROM ${who} m
   CROSS JOIN sessions s INDEXED BY sessions_open_card ON s.card_id = m.id AND s.stopped_at IS NULL
   JOIN cards c ON c.id = m.id JOIN card_batches b ON b.id = c.batch_id ${ORDER}`;
const SUBSCRIBERS = selectSubscribers(SEVERAL("subscriber_id", "sessions_open_subscriber"));
const SUBSCRIBER = selectSubscribers(ONE);
const CARDS = selectCards(SEVERAL("card_id", "sessions_open_card"));
const CARD = selectCards(ONE);

function ofAll(db: Db, text: string): Held[] {
  if (!hasBoxes(db)) return [];
  const byHolder = Map.groupBy(db.$client.query<Beside, []>(text).all(), ({ holder }) => holder);
  return [...byHolder.values()].flatMap(tooMany);
}

function ofOne(db: Db, text: string, holder: number): Held[] {
  return hasBoxes(db) ? tooMany(db.$client.query<Beside, [number]>(text).all(holder)) : [];
}

/** A single machine has no foreign sessions to check. */
function hasBoxes({ $client }: Db): boolean {
  return $client.query("SELECT 1 FROM access_state WHERE marking = 1 OR role = 'access'").get() !== null;
}

function tooMany(open: readonly Beside[]): Held[] {
  if (open.every(({ viaBox }) => viaBox === null)) return [];
  const going = open.filter(
    (session, index) =>
      session.mac === null ||
      !open
        .slice(index + 1)
        .some((newer) => newer.mac === session.mac && newer.nasAddress === session.nasAddress),
  );
  const [first] = going;
  const surplus = going.slice(0, Math.max(0, going.length - (first?.room ?? 0)));
  return surplus
    .filter(
      ({ viaBox }, index) => viaBox === null && going.slice(index + 1).some((newer) => newer.viaBox !== null),
    )
    .map(({ sessionId, nasAddress, holder }) => ({ sessionId, nasAddress, holder }));
}
