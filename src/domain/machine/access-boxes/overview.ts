import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type NodeKnowledge, countKnown } from "./knows.ts";
import { primaryLinkState, type PrimaryLinkState } from "./link-state.ts";
import { type Standing, standings } from "../../service/box-standing/standing.ts";
import type { Scope } from "../../service/box-standing/box-scope.ts";

export interface BoxesOverview {
  readonly boxes: readonly Standing[];
  /** Places that a box's scope may have. */
  readonly places: readonly BoxPlace[];
  readonly link: PrimaryLinkState | undefined;
}

export interface BoxPlace {
  readonly isp: number;
  readonly branch: number | null;
  readonly ispName: string;
  readonly branchName: string | null;
}

/** Throws `forbidden` for anybody but an Admin of all. */
export function boxesOverview(db: Db, by: Actor, { now }: { now: Seconds }): BoxesOverview {
  permit(by, "boxesOverview");
  requireApplianceAdmin(db, by);
  const places = db.$client
    .query<BoxPlace, []>(
      `SELECT id AS isp, NULL AS branch, name AS ispName, NULL AS branchName FROM isps
       UNION ALL SELECT b.isp_id, b.id, i.name, b.name FROM branches b JOIN isps i ON i.id = b.isp_id ORDER BY 1, 2 NULLS FIRST`,
    )
    .all();
  return { boxes: standings(db, now), places, link: primaryLinkState(db) };
}

/** A box, what it knows, and its places (none: everybody's). Throws `not_found`, `forbidden`. */
export function accessBox(
  db: Db,
  by: Actor,
  { id }: { id: number },
  { now }: { now: Seconds },
): { readonly box: Standing; readonly knows: NodeKnowledge; readonly places: readonly string[] } {
  permit(by, "accessBox");
  requireApplianceAdmin(db, by);
  const node = standings(db, now).find((one) => one.id === id);
  if (!node) throw new DomainError("not_found", phrase`there is no access box ${id}`);
  return { box: node, knows: countKnown(db, node), places: listPlaceNames(db, node.scope) };
}

function listPlaceNames({ $client }: Db, scope: Scope | null): string[] {
  if (scope === null) return [];
  const isp = $client.query<{ name: string }, [number]>("SELECT name FROM isps WHERE id = ?");
  const branch = $client.query<{ name: string }, [number]>("SELECT name FROM branches WHERE id = ?");
  return [
    ...(scope.isps ?? []).map((id) => isp.get(id)?.name ?? String(id)),
    ...(scope.branches ?? []).map((one) => branch.get(one.branch)?.name ?? String(one.branch)),
  ];
}
