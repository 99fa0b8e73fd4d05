import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type Nas, nasById, nasWhere } from "./find.ts";
import { lastSeen } from "./last-seen.ts";
import { listSources } from "./sources.ts";

export const nasSorts = ["name", "address", "id", "created_at"] as const;

export function nasPage(
  db: Db,
  by: Actor,
  { name, address }: { name?: string | null | undefined; address?: string | null | undefined },
  paging: { limit: number; offset: number; sort: (typeof nasSorts)[number]; descending: boolean },
): { rows: Nas[]; total: number } {
  permit(by, "nasPage");
  const matching = all(equal("n.isp_id", by.scope.ispId), equal("n.name", name), equal("n.address", address));
  const direction = paging.descending ? "DESC" : "ASC";
  const order = `ORDER BY n.${paging.sort} ${direction}, n.id ${direction} LIMIT ? + 0 OFFSET ?`;
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM nas n WHERE ${matching.text}`)
    .get(...matching.values);
  return { rows: nasWhere(db, matching, order, [paging.limit, paging.offset]), total: counted?.total ?? 0 };
}

/** A router with its last contact and its sources. Throws `not_found`. */
export function nasWithSources(db: Db, by: Actor, nasId: number) {
  permit(by, "nasWithSources");
  const router = nasById(db, by.scope, nasId);
  return { router, heardAt: lastSeen(db, nasId)?.at ?? null, sources: listSources(db, nasId) };
}
