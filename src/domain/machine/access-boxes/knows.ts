import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Scope } from "../../service/box-standing/box-scope.ts";

export interface NodeKnowledge {
  readonly routers: readonly string[];
  readonly apiAccounts: number;
  readonly subscribers: number;
  /** Cards that it can check. */
  readonly cards: number;
  /** Until when it had the shared key without serving everybody, so that nats-server let it read others' records. "now": still; null: never. */
  readonly sharedUntil: Seconds | "now" | null;
}

export interface KnowingNode {
  readonly scope: Scope | null;
  readonly createdAt: Seconds;
  readonly ownKeysAt: Seconds | null;
}

/** Condition for rows of its scope. `?1` are ISPs (NULL: all), `?2` ISP and branch pairs, as JSON. */
const WITHIN = `(?1 IS NULL OR isp_id IN (SELECT value FROM json_each(?1))
  OR isp_id || '.' || ifnull(branch_id, 0) IN (SELECT value FROM json_each(?2)))`;

/** Keys formerly replicated: `?3` are places as JSON, an ISP as `1.`. */
const announcedKeys = (letter: "s" | "c") => `SELECT CAST(substr(key, 3) AS INTEGER) FROM access_told
  WHERE key GLOB '${letter}.*' AND (place IN (SELECT value FROM json_each(?2)) OR EXISTS (SELECT 1 FROM json_each(?1) WHERE place GLOB value || '.*'))`;

/** What is replicated to a box, and was before it moved elsewhere. */
export function countKnown({ $client }: Pick<Db, "$client">, node: KnowingNode): NodeKnowledge {
  const { scope, createdAt, ownKeysAt } = node;
  const isps = scope && JSON.stringify(scope.isps ?? []);
  const branches = JSON.stringify((scope?.branches ?? []).map(({ isp, branch }) => `${isp}.${branch}`));
  const count = (text: string) =>
    $client.query<{ n: number }, [string | null, string]>(text).get(isps, branches)?.n ?? 0;
  // all routers of its ISPs, for subscribers roam; with a shared key every router
  const all = new Set([...(scope?.isps ?? []), ...(scope?.branches ?? []).map(({ isp }) => isp)]);
  const hasAll = scope === null || ownKeysAt === null;
  const routers = $client
    .query<{ name: string; hasAccount: number }, [string | null]>(
      `SELECT name, routeros_password_sealed IS NOT NULL AS hasAccount FROM nas
       WHERE ?1 IS NULL OR isp_id IN (SELECT value FROM json_each(?1)) ORDER BY name`,
    )
    .all(hasAll ? null : JSON.stringify([...all]));
  return {
    routers: routers.map(({ name }) => name),
    apiAccounts: routers.reduce((sum, { hasAccount }) => sum + hasAccount, 0),
    subscribers: count(
      `SELECT count(*) AS n FROM subscribers WHERE archived_at IS NULL AND (${WITHIN} OR id IN (${announcedKeys("s")}))`,
    ),
    cards: count(
      `SELECT count(*) AS n FROM cards WHERE state <> 'void'
         AND (batch_id IN (SELECT id FROM card_batches WHERE ${WITHIN}) OR id IN (${announcedKeys("c")}))`,
    ),
    sharedUntil: scope === null || ownKeysAt === createdAt ? null : (ownKeysAt ?? "now"),
  };
}
