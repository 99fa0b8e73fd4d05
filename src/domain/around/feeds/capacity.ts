import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { boxCapacities } from "../../../../db/schema.ts";
import { type Actor, requireOwnIsp, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Capacity {
  readonly down: number;
  readonly up: number;
}

const MOST = 10_000_000;

/** Sets the capacity of a box; null: unknown. Throws `not_found` for a box without lines, `invalid`. */
export function setBoxCapacity(
  db: Db,
  by: Actor,
  { ispId, boxNumber, capacity }: { ispId: number; boxNumber: string; capacity: Capacity | null },
  { now }: { now: Seconds },
): void {
  permit(by, "setBoxCapacity");
  requireWholeIsp(by, "boxes");
  requireOwnIsp(by, ispId);
  const isWhole = (speed: number) => Number.isInteger(speed) && speed >= 2 && speed <= MOST;
  if (capacity && !(isWhole(capacity.down) && isWhole(capacity.up))) {
    const fields = { capacity: [phrase`must be whole Mbit/s from 2 to ${MOST}, down and up`] };
    throw new DomainError("invalid", phrase`check capacity`, { fields });
  }
  write(db, (tx) => {
    const line = tx.$client
      .query<{ id: number }, [number, string]>(
        "SELECT id FROM subscribers WHERE isp_id = ? AND box_number = ? LIMIT 1",
      )
      .get(ispId, boxNumber);
    if (!line) throw new DomainError("not_found", phrase`no line hangs on a box ${boxNumber}`);
    if (capacity)
      insert(tx, boxCapacities, { ispId, boxNumber, ...capacity }, { replacing: ["ispId", "boxNumber"] });
    else
      tx.$client
        .query<unknown, [number, string]>("DELETE FROM box_capacities WHERE isp_id = ? AND box_number = ?")
        .run(ispId, boxNumber);
    const after = { name: boxNumber, down: capacity?.down ?? null, up: capacity?.up ?? null };
    audit(tx, by, now, { action: "box_capacity.set", entity: "isp", entityId: ispId, ispId, after });
  });
}
