import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { byNumber } from "../outages/suspects.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface BoxInList {
  readonly boxNumber: string;
  readonly boxAddress: string | null;
  readonly lines: number;
  readonly online: number;
  /** Lines that may be online, were before, and are not. */
  readonly dark: number;
  /** Its current outage. */
  readonly outageId: number | null;
}

export interface BoxesFound {
  readonly boxes: readonly BoxInList[];
  readonly total: number;
  readonly darkBoxes: number;
  readonly dark: number;
}

/** Boxes in scope whose number begins with `q`: with an outage first, then by dark lines, then by number in natural order (2 before 10). */
export function listBoxes(
  db: Db,
  by: Actor,
  { q = "", limit, offset = 0 }: { q?: string; limit: number; offset?: number },
  { now }: { now: Seconds },
): BoxesFound {
  permit(by, "listBoxes");
  const { text, values } = all(
    { text: "s.box_number >= ? AND s.box_number < ?", values: [q, `${q}\u{10FFFF}`] },
    scopeCondition(by.scope),
  );
  const found = db.$client
    .query<BoxInList, Value[]>(
      `SELECT s.box_number AS boxNumber, max(s.box_address) AS boxAddress, count(*) AS lines, sum(${isOnline}) AS online,
         sum(NOT ${isOnline} AND s.status = 1 AND EXISTS (SELECT 1 FROM services v
           WHERE v.subscriber_id = s.id AND v.expires_at > ? AND v.frozen_at IS NULL)
           AND EXISTS (SELECT 1 FROM sessions p WHERE p.subscriber_id = s.id)) AS dark,
         (SELECT u.id FROM outages u INDEXED BY outages_open WHERE u.ended_at IS NULL AND u.kind = 'box'
           AND u.isp_id = s.isp_id AND u.box_number = s.box_number LIMIT 1) AS outageId
       FROM subscribers s INDEXED BY subscribers_box WHERE ${text} AND s.box_number <> ''
       GROUP BY s.box_number`,
    )
    .all(now, ...values);
  const dark = found.filter((box) => box.dark > 0);
  return {
    boxes: found.toSorted(byWorst).slice(offset, offset + limit),
    total: found.length,
    darkBoxes: dark.length,
    dark: dark.reduce((sum, box) => sum + box.dark, 0),
  };
}

function byWorst(one: BoxInList, other: BoxInList): number {
  const outages = Number(other.outageId !== null) - Number(one.outageId !== null);
  return outages || other.dark - one.dark || byNumber.compare(one.boxNumber, other.boxNumber);
}

const isOnline = "EXISTS (SELECT 1 FROM sessions o WHERE o.subscriber_id = s.id AND o.stopped_at IS NULL)";
