import type { Db } from "../../../db/open.ts";
import type { Scope } from "./state.ts";

/** What whoever has a box, or its files, knows. */
export interface BoxKnows {
  /** Names of routers whose secrets it has. */
  readonly routers: readonly string[];
  /** Subscribers whose passwords it has. */
  readonly subscribers: number;
  /** Cards whose codes it can check. */
  readonly cards: number;
}

/** Of a row of an ISP: whether the box is told of it. `?1` are ISPs (NULL: all), `?2` pairs of ISP and branch, as JSON. */
const WITHIN = `(?1 IS NULL OR isp_id IN (SELECT value FROM json_each(?1))
  OR isp_id || '.' || ifnull(branch_id, 0) IN (SELECT value FROM json_each(?2)))`;

/** What a box of that scope is told. */
export function knowsOf({ $client }: Pick<Db, "$client">, scope: Scope | null): BoxKnows {
  const isps = scope && JSON.stringify(scope.isps ?? []);
  const branches = JSON.stringify((scope?.branches ?? []).map(({ isp, branch }) => `${isp}.${branch}`));
  const count = (text: string) =>
    $client.query<{ n: number }, [string | null, string]>(text).get(isps, branches)?.n ?? 0;
  return {
    // of every router: a subscriber may stand at that of a neighbour
    routers: $client
      .query<{ name: string }, []>("SELECT name FROM nas ORDER BY name")
      .all()
      .map(({ name }) => name),
    subscribers: count(`SELECT count(*) AS n FROM subscribers WHERE archived_at IS NULL AND ${WITHIN}`),
    cards: count(
      `SELECT count(*) AS n FROM cards WHERE state <> 'void'
         AND batch_id IN (SELECT id FROM card_batches WHERE ${WITHIN})`,
    ),
  };
}
