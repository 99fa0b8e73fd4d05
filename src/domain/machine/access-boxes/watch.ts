import { type Db, type Tx, write } from "../../../../db/open.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Standing, standings } from "../../service/box-standing/standing.ts";

/** Boxes lost and heard again at one look. */
export interface WatchedBoxes {
  readonly cutOff: readonly string[];
  readonly back: readonly string[];
}

/** Reports once that a box is cut off, and once that it is back; nothing of its routers. */
export function watchBoxes(db: Db, by: Actor, { now }: { now: Seconds }): WatchedBoxes {
  permit(by, "watchBoxes");
  const announced = announcedCutOff(db);
  const all = standings(db, now);
  const cutOff = all.filter(({ id, state }) => state === "cut_off" && !announced.has(id));
  const back = all.filter(({ id, state }) => state === "heard" && announced.has(id));
  if (cutOff.length + back.length > 0)
    write(db, (tx) => {
      for (const node of cutOff) tell(tx, node, { type: "box.cut_off", since: node.heardAt ?? now }, now);
      for (const node of back) tell(tx, node, { type: "box.back", since: now }, now);
    });
  const names = (boxes: readonly Standing[]) => boxes.map(({ name }) => name);
  return { cutOff: names(cutOff), back: names(back) };
}

function tell(
  tx: Tx,
  { id, name, scope }: Standing,
  { type, since }: { type: "box.cut_off" | "box.back"; since: Seconds },
  now: Seconds,
): void {
  tx.$client
    .query<unknown, [Seconds | null, number]>("UPDATE access_boxes SET cut_off_at = ? WHERE id = ?")
    .run(type === "box.cut_off" ? since : null, id);
  const [isp, ...others] = scope?.isps ?? scope?.branches?.map((branch) => branch.isp) ?? [];
  const ispId = isp === undefined || others.some((other) => other !== isp) ? null : isp;
  announceOther(tx, now, { type, ispId, data: { box: { id, name }, since: timestamp(since) } });
}

/** Boxes reported as cut off. */
function announcedCutOff({ $client }: Db): ReadonlySet<number> {
  const rows = $client
    .query<{ id: number }, []>("SELECT id FROM access_boxes WHERE cut_off_at IS NOT NULL")
    .all();
  return new Set(rows.map(({ id }) => id));
}
