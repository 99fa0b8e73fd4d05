import { all, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { type Actor, scopeCondition } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";

/** A distribution box with the lines of it that the actor sees. */
export interface BoxInList {
  readonly boxNumber: string;
  readonly boxAddress: string | null;
  readonly lines: number;
  readonly online: number;
  /** Of those who might be online, how many are not. */
  readonly dark: number;
  /** An outage of it that is not over. */
  readonly outageId: number | null;
}

/** The boxes in the actor's scope whose number begins with `q`, by their numbers, those after `after`. */
export function listBoxes(
  db: Db,
  by: Actor,
  { q = "", after = "", limit }: { q?: string; after?: string; limit: number },
  { now }: { now: Seconds },
): BoxInList[] {
  permit(by, "listBoxes");
  const first = q > after ? q : after;
  const { text, values } = all(
    {
      text: "s.box_number >= ? AND s.box_number > ? AND s.box_number < ?",
      values: [first, after, `${q}\u{10FFFF}`],
    },
    scopeCondition(by.scope),
  );
  return db.$client
    .query<BoxInList, Value[]>(
      `SELECT s.box_number AS boxNumber, max(s.box_address) AS boxAddress, count(*) AS lines, sum(${isOnline}) AS online,
         sum(NOT ${isOnline} AND s.status = 1 AND EXISTS (SELECT 1 FROM services v
           WHERE v.subscriber_id = s.id AND v.expires_at > ? AND v.frozen_at IS NULL)) AS dark,
         (SELECT u.id FROM outages u INDEXED BY outages_open WHERE u.ended_at IS NULL AND u.kind = 'box'
           AND u.isp_id = s.isp_id AND u.box_number = s.box_number LIMIT 1) AS outageId
       FROM subscribers s INDEXED BY subscribers_box WHERE ${text}
       GROUP BY s.box_number ORDER BY s.box_number LIMIT ? + 0`,
    )
    .all(now, ...values, limit);
}

const isOnline = "EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = s.id AND o.stopped_at IS NULL)";
