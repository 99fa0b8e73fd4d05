import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Scope } from "../../service/box-standing/box-scope.ts";

export interface NodeKnowledge {
  /** Names of routers whose secrets it has, and of how many of them the account of their API. */
  readonly routers: readonly string[];
  readonly apiAccounts: number;
  readonly subscribers: number;
  /** Cards whose codes it can check. */
  readonly cards: number;
  /**
   * Until when it had the one key that every box shared, though it was not for everybody: nats-server let it read all that the others were
   * told until then. "now": it has it still; null: it had no such key.
   */
  readonly sharedUntil: Seconds | "now" | null;
}

export interface KnowingNode {
  readonly scope: Scope | null;
  readonly createdAt: Seconds;
  readonly ownKeysAt: Seconds | null;
}

/** Of a row of an ISP: whether the box is told of it. `?1` are ISPs (NULL: all), `?2` pairs of ISP and branch, as JSON. */
const WITHIN = `(?1 IS NULL OR isp_id IN (SELECT value FROM json_each(?1))
  OR isp_id || '.' || ifnull(branch_id, 0) IN (SELECT value FROM json_each(?2)))`;

/** Whoever it was told of before they moved elsewhere: `?3` are the places as JSON, of an ISP as `1.`. */
const announcedKeys = (letter: "s" | "c") => `SELECT CAST(substr(key, 3) AS INTEGER) FROM access_told
  WHERE key GLOB '${letter}.*' AND (place IN (SELECT value FROM json_each(?2)) OR EXISTS (SELECT 1 FROM json_each(?1) WHERE place GLOB value || '.*'))`;

/** What a box is told, and was told of those that moved elsewhere since. */
export function knowsOf({ $client }: Pick<Db, "$client">, node: KnowingNode): NodeKnowledge {
  const { scope, createdAt, ownKeysAt } = node;
  const isps = scope && JSON.stringify(scope.isps ?? []);
  const branches = JSON.stringify((scope?.branches ?? []).map(({ isp, branch }) => `${isp}.${branch}`));
  const count = (text: string) =>
    $client.query<{ n: number }, [string | null, string]>(text).get(isps, branches)?.n ?? 0;
  // of every router of its ISPs: a subscriber may stand at that of a neighbour; while one key is shared, of every one
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
