import { partialRow } from "../../../../db/columns.ts";
import type { Value } from "../../../../db/condition.ts";
import { type Db, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { fieldNames, only, type Values } from "../../core/fields/fields.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { differences } from "./differences.ts";
import { columnFields } from "./fields.ts";
import { subscriberById } from "./find.ts";
import { type Expected, requireUnchanged } from "./unchanged.ts";

export const plantFields = only(columnFields, [
  "address",
  "latitude",
  "longitude",
  "box_number",
  "box_address",
  "uplink_port",
  "fiber_code",
  "fiber_color",
  "switch_board",
  "switch_port",
  "backup_connection",
  "electricity_socket",
  "cable_type",
]);

/** Absent stays, empty clears. Throws not_found, conflict as updateSubscriber. */
export function setPlant(
  db: Db,
  by: Actor,
  {
    subscriberId,
    plant,
    expected = {},
  }: { subscriberId: number; plant: Values<typeof plantFields>; expected?: Expected },
  { now }: { now: Seconds },
): void {
  permit(by, "setPlant");
  const columns: Record<string, Value | undefined> = {};
  for (const name of fieldNames(plantFields)) columns[name] = plant[name];
  write(db, (tx) => {
    const before = subscriberById(tx, by.scope, subscriberId);
    requireUnchanged(before, expected);
    update(tx, subscribers, { ...partialRow(subscribers, columns), updatedAt: now }, { id: subscriberId });
    const changes = differences(before, subscriberById(tx, everything, subscriberId));
    const { ispId } = before;
    audit(tx, by, now, {
      action: "subscriber.plant",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      ...changes,
    });
  });
}
