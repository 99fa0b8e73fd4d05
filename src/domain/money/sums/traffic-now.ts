import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { cappedSum } from "../../../../db/sum.ts";
import { type Actor, seesWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { startOfMinute } from "./minutes.ts";

export interface MinuteNow {
  readonly at: Seconds;
  readonly up: number;
  readonly down: number;
  readonly accepted: number;
  readonly rejected: number;
}

const HOUR = 3600;
const MINUTE = 60;

/** Traffic by minute, zeros without a sample; for who sees a whole ISP, or one router. */
export function lastHour(
  db: Db,
  by: Actor,
  { nasId }: { nasId?: number | undefined },
  { now }: { now: Seconds },
): MinuteNow[] {
  permit(by, "lastHour");
  if (!seesWholeIsp(by.scope)) return [];
  const end = startOfMinute(now);
  const { text, values } = all(equal("m.isp_id", by.scope.ispId), equal("m.nas_id", nasId));
  const found = db.$client
    .query<MinuteNow, Value[]>(
      `SELECT m.at, ${cappedSum("m.input_octets")} * 8 / ${MINUTE} AS up, ${cappedSum("m.output_octets")} * 8 / ${MINUTE} AS down,
         sum(m.accepted) AS accepted, sum(m.rejected) AS rejected
       FROM nas_minutes m INDEXED BY nas_minutes_at WHERE m.at >= ? AND m.at < ? AND ${text} GROUP BY m.at`,
    )
    .all(end - HOUR, end, ...values);
  const byTime = new Map(found.map((minute) => [minute.at, minute]));
  return Array.from({ length: HOUR / MINUTE }, (_, index) => {
    const at = end - HOUR + index * MINUTE;
    return byTime.get(at) ?? { at, up: 0, down: 0, accepted: 0, rejected: 0 };
  });
}
