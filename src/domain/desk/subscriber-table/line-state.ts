import type { Db } from "../../../../db/open.ts";
import { confines } from "../../service/access/outcomes.ts";
import { staleAfter } from "../../service/sessions/in-scope.ts";
import type { Seconds } from "../../core/time/time.ts";

/** States in order of precedence. */
export type LineState =
  | { readonly kind: "unsure"; readonly since: Seconds }
  | { readonly kind: "garden"; readonly since: Seconds }
  | { readonly kind: "online"; readonly since: Seconds }
  /** Of the last hour, the newest included. */
  | { readonly kind: "refused"; readonly times: number; readonly since: Seconds }
  | { readonly kind: "offline"; readonly since: Seconds }
  | { readonly kind: "never" };

interface Row {
  readonly id: number;
  readonly startedAt: Seconds | null;
  readonly updatedAt: Seconds | null;
  readonly stoppedAt: Seconds | null;
  readonly acceptedAs: string | null;
  readonly refusals: string | null;
}

/** Decisions scanned. */
const LOGINS = 100;
const HOUR = 3600;

const session = "SELECT id FROM sessions WHERE subscriber_id = j.value";
const select = `
  SELECT j.value AS id, o.started_at AS startedAt, o.updated_at AS updatedAt, o.stopped_at AS stoppedAt, o.accepted_as AS acceptedAs,
    iif(o.stopped_at IS NULL AND o.id IS NOT NULL, NULL,
      (SELECT json_group_array(json_array(l.accepted, l.at)) FROM
        (SELECT accepted, at FROM auth_log WHERE subscriber_id = j.value ORDER BY id DESC LIMIT ${LOGINS}) l)) AS refusals
  FROM json_each(?) j LEFT JOIN sessions o ON o.id = coalesce(
    (${session} AND stopped_at IS NULL ORDER BY started_at DESC LIMIT 1), (${session} ORDER BY started_at DESC LIMIT 1))`;

/** States of lines by id; callers check the scope. */
export function lineStates(db: Db, ids: readonly number[], now: Seconds): Map<number, LineState> {
  if (ids.length === 0) return new Map();
  const since = now - staleAfter(db);
  const rows = db.$client.query<Row, [string]>(select).all(JSON.stringify(ids));
  return new Map(rows.map((row) => [row.id, lineState(row, { now, since })]));
}

function lineState(row: Row, { now, since }: { now: Seconds; since: Seconds }): LineState {
  const { startedAt, updatedAt, stoppedAt, acceptedAs } = row;
  if (startedAt !== null && stoppedAt === null) {
    if (updatedAt !== null && updatedAt < since) return { kind: "unsure", since: updatedAt };
    const isConfined = acceptedAs !== null && confines(acceptedAs);
    return { kind: isConfined ? "garden" : "online", since: startedAt };
  }
  const logins: [accepted: number, at: Seconds][] = JSON.parse(row.refusals ?? "[]");
  const [last] = logins;
  if (last && last[0] === 0 && last[1] > now - HOUR && last[1] >= (stoppedAt ?? 0)) {
    const times = logins.filter(([accepted, at]) => accepted === 0 && at > now - HOUR).length;
    return { kind: "refused", times, since: last[1] };
  }
  return stoppedAt === null ? { kind: "never" } : { kind: "offline", since: stoppedAt };
}
