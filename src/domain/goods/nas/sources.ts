import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { type nas, nasSources } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

/** Source addresses of a NAS: a network's routers, but no flood. */
export const MAX_SOURCES = 4096;
/** Seconds; after such a silence a new count begins. */
const LATELY = 86_400;

export function latchMessageAuthenticator(
  db: Db,
  { nasId, address }: { nasId: number; address: string },
  now: Seconds,
): void {
  write(db, (tx) => {
    // it may be gone or exempt since the packet
    const router = tx.$client
      .query<{ required: string; seenAt: Seconds | null; isFull: 0 | 1 }, [string, number]>(
        `SELECT n.require_message_authenticator AS required, s.authenticator_seen_at AS seenAt,
           s.nas_id IS NULL AND (SELECT count(*) FROM nas_sources WHERE nas_id = n.id) >= ${MAX_SOURCES} AS isFull
         FROM nas n LEFT JOIN nas_sources s ON s.nas_id = n.id AND s.address = ? WHERE n.id = ?`,
      )
      .get(address, nasId);
    if (router?.required !== "auto" || router.seenAt !== null || router.isFull === 1) return;
    // earlier drops no longer matter
    const latched = { authenticatorSeenAt: now, droppedSince: null, droppedLast: null };
    insert(tx, nasSources, { nasId, address, ...latched }, { replacing: ["nasId", "address"] });
    // invalidates configurations read since
    tx.$client.query("UPDATE generations SET value = value + 1 WHERE name = 'configuration'").run();
  });
}

/** Resets "auto" for one address or all (true). Returns them. Throws `refused` for none. */
export function forgetMessageAuthenticators(db: Db | Tx, nasId: number, address: string | true): string[] {
  const isMeant = all(equal("nas_id", nasId), equal("address", address === true ? null : address));
  const forgotten = db.$client
    .query<{ address: string }, Value[]>(
      `DELETE FROM nas_sources WHERE ${isMeant.text} AND authenticator_seen_at IS NOT NULL RETURNING address`,
    )
    .all(...isMeant.values);
  if (forgotten.length === 0)
    throw new DomainError(
      "refused",
      phrase`no Message-Authenticator was seen${address === true ? "" : phrase` of ${address}`} that could be forgotten; see: gatehouse nas list --json`,
    );
  return forgotten.map((source) => source.address);
}

/** Requests dropped for a missing Message-Authenticator: since when, and when last. */
export function recordUnauthenticated(
  db: Db,
  { nasId, address }: { nasId: number; address: string },
  now: Seconds,
): void {
  const statement = db.$client.query<unknown, { nasId: number; address: string; now: Seconds }>(
    `INSERT INTO nas_sources (nas_id, address, dropped_since, dropped_last)
     SELECT n.id, $address, $now, $now FROM nas n LEFT JOIN nas_sources s ON s.nas_id = n.id AND s.address = $address
     WHERE n.id = $nasId AND (s.nas_id IS NOT NULL OR (SELECT count(*) FROM nas_sources WHERE nas_id = n.id) < ${MAX_SOURCES})
     ON CONFLICT DO UPDATE SET dropped_last = excluded.dropped_last,
       dropped_since = CASE WHEN dropped_last > excluded.dropped_last - ${LATELY} THEN dropped_since ELSE excluded.dropped_since END`,
  );
  write(db, () => statement.run({ nasId, address, now }));
}

export function listSources({ $client }: Db, nasId: number): NasSource[] {
  return $client
    .query<NasSource, [number]>(`${selectSources} WHERE o.nas_id = ? ORDER BY o.address`)
    .all(nasId);
}

type NasSource = typeof nasSources.$inferSelect;
const selectSources = `SELECT ${selectColumns(nasSources, "o")} FROM nas_sources o`;

/** The address where a shell would misread the name. */
export function commandName({ name, address }: { name: string; address: string }): string {
  return /^[\w.-]+$/.test(name) ? name : address;
}

/** A source with recent drops, with the fix. */
export interface Unauthenticated {
  readonly nasId: number;
  readonly ispId: number;
  readonly address: string;
  readonly words: string;
}

/** Addresses whose requests were lately dropped for a missing Message-Authenticator. */
export function findUnauthenticated({ $client }: Db, now: Seconds): Unauthenticated[] {
  const rows = $client
    .query<Dropped, [number]>(
      `SELECT n.id AS nasId, n.isp_id AS ispId, n.name, n.address AS nasAddress, s.address,
         n.require_message_authenticator AS requirement, s.authenticator_seen_at AS seenAt,
         coalesce(s.dropped_since, 0) AS since, coalesce(s.dropped_last, 0) AS last
       FROM nas_sources s JOIN nas n ON n.id = s.nas_id
       WHERE s.dropped_since IS NOT NULL AND s.dropped_last > ? ORDER BY n.id, s.address`,
    )
    .all(now - LATELY);
  return rows.map((row) => {
    const times = `have been dropped since ${formatTime(row.since)}, the last at ${formatTime(row.last)}`;
    return {
      nasId: row.nasId,
      ispId: row.ispId,
      address: row.address,
      words: `requests of ${row.address} (${row.name}) without Message-Authenticator ${times}, ${whyDropped(row)}`,
    };
  });
}

interface Dropped {
  readonly nasId: number;
  readonly ispId: number;
  readonly name: string;
  readonly nasAddress: string;
  readonly address: string;
  readonly requirement: (typeof nas.$inferSelect)["requireMessageAuthenticator"];
  readonly seenAt: Seconds | null;
  readonly since: Seconds;
  readonly last: Seconds;
}

function whyDropped({ name, nasAddress, address, requirement, seenAt }: Dropped): string {
  const set = `if RouterOS was downgraded or reset: gatehouse nas set ${commandName({ name, address: nasAddress })}`;
  if (requirement === "yes")
    return `because this NAS has to send one; ${set} --require-message-authenticator auto`;
  if (seenAt !== null) return `because it sent one before; ${set} --forget-message-authenticator ${address}`;
  return "because those of a proxy (with Proxy-State), EAP and Status-Server always need one; let the proxy send it (FreeRADIUS does from 3.0.27 and 3.2.5 on)";
}
