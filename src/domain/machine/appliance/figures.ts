import type { Db } from "../../../../db/open.ts";
import { routersBehind, standings } from "../../service/box-standing/standing.ts";

/* Figures of the store for monitoring. */

export function openSessions({ $client }: Db): number | undefined {
  return $client
    .query<{ open: number }, []>("SELECT count(*) AS open FROM sessions WHERE stopped_at IS NULL")
    .get()?.open;
}

/** Dropped sessions of unknown names by router. */
export function droppedSessions({ $client }: Db): readonly { nas: string; total: number }[] {
  return $client
    .query<{ nas: string; total: number }, []>(
      "SELECT name AS nas, total FROM dropped_sessions JOIN nas ON nas.id = nas_id",
    )
    .all();
}

export function routerNames({ $client }: Db): string[] {
  return $client
    .query<{ name: string }, []>("SELECT name FROM nas")
    .all()
    .map(({ name }) => name);
}

/** Seconds since boxes last heard a router, by name; null: its box is cut off. Undefined without boxes. */
export function lastSeenByBoxes(db: Db, now: number): Map<string, number | null> | undefined {
  if (standings(db, now).length === 0) return undefined;
  const behind = routersBehind(db, now);
  const sources = db.$client
    .query<{ id: number; name: string; at: number }, []>(
      `SELECT nas.id, nas.name, max(o.updated_at) AS at FROM sessions o JOIN nas ON nas.id = o.nas_id
       WHERE o.stopped_at IS NULL AND o.via_box IS NOT NULL GROUP BY nas.id`,
    )
    .all();
  return new Map(sources.map(({ id, name, at }) => [name, behind.has(id) ? null : Math.max(0, now - at)]));
}
