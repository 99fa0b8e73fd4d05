import { isIP } from "node:net";
import { text } from "../../core/fields/fields.ts";
import { columnFields } from "../../goods/subscribers/fields.ts";
import { fold } from "../../core/fields/text.ts";
import { formatTime } from "../../core/time/time.ts";
import { counted, moment } from "./measures.ts";
import type { MovedSession } from "./model.ts";
import { type Counts, type ImportRow, type Move, noCounts } from "./move.ts";

export interface ImportedSessions {
  readonly rows: readonly ImportRow[];
  readonly counts: Counts;
}

interface StoredSession {
  readonly key: string;
  readonly updatedAt: number;
  readonly movedIn: 0 | 1;
}

/** Open sessions of imported subscribers; `ids` by folded username. */
export function importSessions(
  move: Move,
  sessions: readonly MovedSession[],
  ids: ReadonlyMap<string, number>,
): ImportedSessions {
  const counts = { ...noCounts(), found: sessions.length };
  const rows: ImportRow[] = [];
  const stored = storedSessions(move);
  const foreign = foreignRouters(move);
  const newest = pickNewest(sessions);
  for (const session of sessions) {
    const subscriberId = ids.get(fold(session.username.trim()));
    const fault = findFault(session, foreign);
    if (subscriberId === undefined || fault !== undefined) {
      counts.refused++;
      const text = fault ?? "is online there and no subscriber here";
      move.notices.add("left_out", session.at, session.username, text);
      continue;
    }
    const known = stored.get(keyOf(session));
    const isSame =
      newest.get(keyOf(session)) !== session ||
      (known && (known.movedIn === 0 || known.updatedAt >= session.updatedAt));
    counts[isSame ? "same" : known ? "changed" : "new"]++;
    if (!isSame) rows.push(toImportRow(move, session, subscriberId));
  }
  return { rows, counts };
}

/** Why no router of the ISP can report it; undefined: one can. */
function findFault(session: MovedSession, foreign: ReadonlySet<string>): string | undefined {
  const { nasAddress, acctSessionId, username } = session;
  if (foreign.has(nasAddress)) return "is online at a router of another ISP of this box";
  if (isIP(nasAddress) === 0) return "is online there at a router whose address is none";
  if (word.read(acctSessionId) === undefined || word.read(username) === undefined)
    return "is online there in a session whose name or id cannot be";
  return undefined;
}

const word = text(253);

/** Duplicates of a keyless table: the newest counts. */
function pickNewest(sessions: readonly MovedSession[]): ReadonlyMap<string, MovedSession> {
  const newest = new Map<string, MovedSession>();
  for (const session of sessions) {
    const key = keyOf(session);
    const other = newest.get(key);
    if (other === undefined || other.updatedAt < session.updatedAt) newest.set(key, session);
  }
  return newest;
}

function foreignRouters({ db, ispId }: Move): ReadonlySet<string> {
  const rows = db.$client
    .query<{ address: string }, [number]>("SELECT address FROM nas WHERE isp_id <> ?")
    .all(ispId);
  return new Set(rows.map(({ address }) => address));
}

const keyOf = ({ nasAddress, acctSessionId, username }: MovedSession) =>
  `${nasAddress} ${acctSessionId} ${username}`;

function storedSessions({ db, ispId }: Move): Map<string, StoredSession> {
  const rows = db.$client
    .query<StoredSession, [number]>(
      `SELECT nas_address || ' ' || acct_session_id || ' ' || s.username AS key, s.updated_at AS updatedAt, moved_in AS movedIn
       FROM sessions s JOIN subscribers p ON p.id = s.subscriber_id
       WHERE (stopped_at IS NULL OR moved_in = 1) AND p.isp_id = ? ORDER BY s.id`,
    )
    .all(ispId);
  return new Map(rows.map((row) => [row.key, row]));
}

function toImportRow({ now }: Move, session: MovedSession, subscriberId: number): ImportRow {
  const { framedIp, mac } = session;
  const formatPast = (at: number) => formatTime(Math.min(moment(at) ?? now, now));
  return {
    username: session.username,
    subscriber_id: subscriberId,
    nas_address: session.nasAddress,
    acct_session_id: session.acctSessionId,
    started_at: formatPast(session.startedAt),
    updated_at: formatPast(session.updatedAt),
    session_time: counted(session.sessionTime),
    input_octets: counted(session.inputOctets),
    output_octets: counted(session.outputOctets),
    framed_ip: columnFields.static_ip.read(framedIp) ?? null,
    mac_address: columnFields.mac_address.read(mac) ?? null,
    nas_port_id: word.read(session.nasPortId) ?? null,
    called_station_id: word.read(session.calledStationId) ?? null,
  };
}
