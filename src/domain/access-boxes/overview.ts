import type { Db } from "../../../db/open.ts";
import { DomainError } from "../errors.ts";
import { type Actor, requireAdminOfAll } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { booksLinkState, type BooksLinkState } from "./link-state.ts";
import { type Standing, standings } from "./standing.ts";
import type { Scope } from "./state.ts";

/** How the access boxes and the way to them stand. */
export interface BoxesOverview {
  readonly boxes: readonly Standing[];
  /** Whose subscribers a box may have alone. */
  readonly places: readonly BoxPlace[];
  /** undefined: nothing has ever talked to NATS from here. */
  readonly link: BooksLinkState | undefined;
}

/** An ISP, or one of its branches. */
export interface BoxPlace {
  readonly isp: number;
  readonly branch: number | null;
  readonly ispName: string;
  readonly branchName: string | null;
}

/** What whoever has a box, or its files, knows. */
export interface BoxKnows {
  /** Names of routers whose secrets it has. */
  readonly routers: readonly string[];
  /** Subscribers whose passwords it has. */
  readonly subscribers: number;
  /** Cards whose codes it can check. */
  readonly cards: number;
}

/** Throws `forbidden` for anybody but an Admin of all. */
export function boxesOverview(db: Db, by: Actor, { now }: { now: Seconds }): BoxesOverview {
  permit(by, "boxesOverview");
  requireAdminOfAll(db, by);
  const places = db.$client
    .query<BoxPlace, []>(
      `SELECT id AS isp, NULL AS branch, name AS ispName, NULL AS branchName FROM isps
       UNION ALL SELECT b.isp_id, b.id, i.name, b.name FROM branches b JOIN isps i ON i.id = b.isp_id ORDER BY 1, 2 NULLS FIRST`,
    )
    .all();
  return { boxes: standings(db, now), places, link: booksLinkState(db) };
}

/** One box, what it knows, and in words whose subscribers it has (none: everybody's). Throws `not_found`, `forbidden`. */
export function accessBox(
  db: Db,
  by: Actor,
  { id }: { id: number },
  { now }: { now: Seconds },
): { readonly box: Standing; readonly knows: BoxKnows; readonly places: readonly string[] } {
  permit(by, "accessBox");
  requireAdminOfAll(db, by);
  const box = standings(db, now).find((one) => one.id === id);
  if (!box) throw new DomainError("not_found", `there is no access box ${id}`);
  return { box, knows: knowsOf(db, box.scope), places: placesOf(db, box.scope) };
}

/** Of a row of an ISP: whether the box is told of it. `?1` are ISPs (NULL: all), `?2` pairs of ISP and branch, as JSON. */
const WITHIN = `(?1 IS NULL OR isp_id IN (SELECT value FROM json_each(?1))
  OR isp_id || '.' || ifnull(branch_id, 0) IN (SELECT value FROM json_each(?2)))`;

function knowsOf({ $client }: Db, scope: Scope | null): BoxKnows {
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

function placesOf({ $client }: Db, scope: Scope | null): string[] {
  if (scope === null) return [];
  const isp = $client.query<{ name: string }, [number]>("SELECT name FROM isps WHERE id = ?");
  const branch = $client.query<{ name: string }, [number]>("SELECT name FROM branches WHERE id = ?");
  return [
    ...(scope.isps ?? []).map((id) => isp.get(id)?.name ?? String(id)),
    ...(scope.branches ?? []).map((one) => branch.get(one.branch)?.name ?? String(one.branch)),
  ];
}
