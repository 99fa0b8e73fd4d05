import type { Db } from "../../../../db/open.ts";
import { byNameOnly, type EventType, sessionTypes } from "./types.ts";

/** Every type but those that need their names. */
export const EVERY_TYPE = "*";

/** `types`: a JSON list. */
export function accepts({ types: requested }: { readonly types: string }, type: EventType): boolean {
  const named: readonly string[] = JSON.parse(requested);
  if (named.includes(type)) return true;
  return named.includes(EVERY_TYPE) && !byNameOnly.has(type);
}

/** ISPs that listen to session types (null: all). */
export type SessionListeners = ReadonlyMap<(typeof sessionTypes)[number], ReadonlySet<number | null>>;

const NOBODY: SessionListeners = new Map();

/** Listeners among endpoints, those that are off too, for which events are kept. Compiled once. */
export function readSessionListeners({ $client }: Pick<Db, "$client">): () => SessionListeners {
  const asking = $client.query<{ ispId: number | null; types: string }, []>(
    "SELECT isp_id AS ispId, types FROM webhook_endpoints WHERE types LIKE '%\"session.%'",
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
