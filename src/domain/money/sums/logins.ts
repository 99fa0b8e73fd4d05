import type { Tx } from "../../../../db/open.ts";
import { localDay, type Seconds } from "../../core/time/time.ts";
import { SESSIONS_BEFORE, startOfMinute } from "./minutes.ts";

interface Decided {
  readonly at: Seconds;
  readonly nasId?: number | null | undefined;
  readonly accepted: boolean;
  readonly reason: string;
}

interface Counted {
  readonly nasId: number;
  readonly at: Seconds;
  readonly accepted: boolean;
  readonly reason: string;
  logins: number;
}

/** Counts decisions by minute, and by local day and reason. */
export function countDecisions({ $client }: Tx, entries: readonly Decided[]): void {
  const addToMinute = $client.query<unknown, number[]>(
    `INSERT INTO nas_minutes (nas_id, at, isp_id, sessions, accepted, rejected)
     SELECT nas.id, ?, nas.isp_id, ${SESSIONS_BEFORE}, ?, ? FROM nas WHERE nas.id = ?
     ON CONFLICT DO UPDATE SET accepted = accepted + excluded.accepted, rejected = rejected + excluded.rejected`,
  );
  const addToDay = $client.query<unknown, [number, number, string, number, number]>(
    `INSERT INTO login_days (day, nas_id, isp_id, accepted, reason, logins)
     SELECT ?, id, isp_id, ?, ?, ? FROM nas WHERE id = ?
     ON CONFLICT DO UPDATE SET logins = logins + excluded.logins`,
  );
  for (const { nasId, at, accepted, reason, logins } of counted(entries)) {
    addToMinute.run(at, at, accepted ? logins : 0, accepted ? 0 : logins, nasId);
    addToDay.run(localDay(at), accepted ? 1 : 0, reason, logins, nasId);
  }
}

/** Counts of decisions, without those of `radtest`. */
function counted(entries: readonly Decided[]): Iterable<Counted> {
  const kinds = new Map<string, Counted>();
  for (const { at: time, nasId, accepted, reason } of entries) {
    if (nasId === null || nasId === undefined) continue;
    const at = startOfMinute(time);
    const key = `${nasId} ${at} ${reason}`;
    const known = kinds.get(key);
    if (known) known.logins++;
    else kinds.set(key, { nasId, at, accepted, reason, logins: 1 });
  }
  return kinds.values();
}
