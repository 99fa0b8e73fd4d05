import { columnFields } from "../subscribers/fields.ts";
import { fold } from "../text.ts";
import { formatTime } from "../time.ts";
import type { MovedSession } from "./model.ts";
import { type Counts, type ImportRow, type Move, noCounts } from "./move.ts";

export interface TakenSessions {
  readonly rows: readonly ImportRow[];
  readonly counts: Counts;
}

interface StoredSession {
  readonly key: string;
  readonly updatedAt: number;
  readonly movedIn: 0 | 1;
}

/** The sessions that are open at the source, of subscribers that are here; `ids` are theirs by folded username. */
export function takeSessions(
  move: Move,
  sessions: readonly MovedSession[],
  ids: ReadonlyMap<string, number>,
): TakenSessions {
  const counts = noCounts();
  const rows: ImportRow[] = [];
  const stored = storedSessions(move);
  for (const session of sessions) {
    counts.found++;
    const subscriberId = ids.get(fold(session.username.trim()));
    if (subscriberId === undefined || session.acctSessionId === "" || session.nasAddress === "") {
      counts.refused++;
      move.told.add("left_out", session.at, session.username, "is online there and no subscriber here");
      continue;
    }
    const known = stored.get(keyOf(session));
    const isSame = known && (known.movedIn === 0 || known.updatedAt >= session.updatedAt);
    counts[isSame ? "same" : known ? "changed" : "new"]++;
    if (!isSame) rows.push(rowOf(move, session, subscriberId));
  }
  return { rows, counts };
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

function rowOf({ now }: Move, session: MovedSession, subscriberId: number): ImportRow {
  const { framedIp, mac } = session;
  return {
    username: session.username,
    subscriber_id: subscriberId,
    nas_address: session.nasAddress,
    acct_session_id: session.acctSessionId,
    started_at: formatTime(Math.min(session.startedAt, now)),
    updated_at: formatTime(Math.min(session.updatedAt, now)),
    session_time: session.sessionTime,
    input_octets: session.inputOctets,
    output_octets: session.outputOctets,
    framed_ip: columnFields.static_ip.read(framedIp) ?? null,
    mac_address: columnFields.mac_address.read(mac) ?? null,
    nas_port_id: session.nasPortId || null,
    called_station_id: session.calledStationId || null,
  };
}
