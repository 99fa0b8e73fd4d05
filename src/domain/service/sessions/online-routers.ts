import type { Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import { routersBehind } from "../box-standing/standing.ts";
import { type Actor, widest } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { keepWhenMany, MANY } from "../../core/kept/kept.ts";
import type { Seconds } from "../../core/time/time.ts";
import { boards, CONFINED } from "./online-filter.ts";
import { staleAfter } from "./in-scope.ts";

export interface RouterOnline {
  /** null: a deleted router. */
  readonly nasId: number | null;
  /** null outside the scope. */
  readonly name: string | null;
  readonly sessions: number;
  readonly confined: number;
  /** Of sessions with current reports; bit/s. */
  readonly rateInput: number;
  readonly rateOutput: number;
  /** Newest report of an open session. */
  readonly heardAt: Seconds;
  readonly isSilent: boolean;
}

/** Whoever watches asks every few seconds, and sums of the last reports are hardly older then. */
const kept = keepWhenMany<RouterOnline[]>(
  3,
  (routers) => routers.reduce((sum, { sessions }) => sum + sessions, 0) > MANY,
);

/** Online sessions in scope by router, largest first. */
export function onlineNow(db: Db, by: Actor, { now }: { now: Seconds }): readonly RouterOnline[] {
  permit(by, "onlineNow");
  const { ispId, branchId, salespersonId } = by.scope;
  const key = JSON.stringify([ispId, branchId, salespersonId]);
  return kept(db, { key, now }, () => countRouters(db, by, now));
}

function countRouters(db: Db, by: Actor, now: Seconds): RouterOnline[] {
  const staleBefore = now - staleAfter(db);
  const behind = routersBehind(db, now);
  const [{ from, values }] = boards(db, widest(db, by.scope), {});
  return db.$client
    .query<Omit<RouterOnline, "isSilent">, Value[]>(
      `SELECT g.*, nas.name FROM (
         SELECT o.nas_id AS nasId, count(*) AS sessions, count(*) FILTER (WHERE ${CONFINED}) AS confined,
           ${cappedSum("o.rate_input", "o.updated_at >= ?")} AS rateInput, ${cappedSum("o.rate_output", "o.updated_at >= ?")} AS rateOutput, max(o.updated_at) AS heardAt
         ${from} GROUP BY o.nas_id) g
       LEFT JOIN nas ON nas.id = g.nasId AND nas.isp_id = coalesce(?, nas.isp_id)
       ORDER BY g.sessions DESC, g.nasId`,
    )
    .all(staleBefore, staleBefore, ...values, by.scope.ispId)
    .map((router) =>
      Object.assign(router, { isSilent: router.heardAt < staleBefore && !behind.has(router.nasId) }),
    );
}
