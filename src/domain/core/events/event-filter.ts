import type { Db } from "../../../../db/open.ts";
import { byNameOnly, type EventType, sessionTypes } from "./types.ts";

/** Asks for every type but those that are asked for by name. */
export const EVERY_TYPE = "*";

/** Whether who asked for these types, a JSON list, hears of one. */
export function accepts({ types: requested }: { readonly types: string }, type: EventType): boolean {
  const named: readonly string[] = JSON.parse(requested);
  if (named.includes(type)) return true;
  return named.includes(EVERY_TYPE) && !byNameOnly.has(type);
}

/** Which types of sessions somebody asks for now, by the ISP of who asks (null: of all). */
export type SessionListeners = ReadonlyMap<(typeof sessionTypes)[number], ReadonlySet<number | null>>;

const NOBODY: SessionListeners = new Map();

/** Reads who asks for sessions; nothing is compiled for it again. */
export function sessionListenersOf({ $client }: Pick<Db, "$client">): () => SessionListeners {
  const asking = $client.query<{ ispId: number | null; types: string }, []>(
    "SELECT isp_id AS ispId, types FROM webhook_endpoints WHERE disabled_at IS NULL AND types LIKE '%\"session.%'",
  );
  return () => {
    const rows = asking.all();
    if (rows.length === 0) return NOBODY;
    const listeners = new Map<(typeof sessionTypes)[number], Set<number | null>>();
    for (const type of sessionTypes) {
      const isps = rows.flatMap((row) => (accepts(row, type) ? [row.ispId] : []));
      if (isps.length > 0) listeners.set(type, new Set(isps));
    }
    return listeners;
  };
}
