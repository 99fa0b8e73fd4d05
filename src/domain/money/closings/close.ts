import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { closings } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Till, readTill } from "./till.ts";

export interface Counted {
  /** The cash in the till, in minor units. */
  readonly counted: number;
  readonly expected?: number | null | undefined;
  readonly note?: string | null | undefined;
}

/**
 * Closes the actor's till: expected, counted, difference. Throws `conflict` where money moved while counting, `forbidden` to a
 * Reseller, `refused`.
 */
export function closeTill(db: Db, by: Actor, input: Counted, { now }: { now: Seconds }): number {
  permit(by, "closeTill");
  return write(db, (tx) => {
    const till = readTill(tx, by, by.staffId);
    const { counted, expected, note = null } = input;
    if (typeof expected === "number" && expected !== till.expected)
      throw new DomainError(
        "conflict",
        phrase`the till should hold ${formatAmount(till.expected)} by now; look at it again`,
        { code: "stale" },
      );
    const { staffId, ispId, taken, returned } = till;
    const row = { ispId, staffId, createdAt: now, taken, returned, expected: till.expected, counted, note };
    const id = insert(tx, closings, row);
    mark(tx, till, id);
    audit(tx, by, now, {
      action: "closing.close",
      entity: "closing",
      entityId: id,
      ispId,
      after: { expected: formatAmount(till.expected), counted: formatAmount(counted) },
    });
    return id;
  });
}

function mark({ $client }: Tx, { staffId, ispId }: Till, id: number): void {
  $client
    .query("UPDATE payments SET closing_id = ? WHERE taken_by = ? AND closing_id IS NULL AND isp_id = ?")
    .run(id, staffId, ispId);
  $client
    .query(
      `UPDATE payments SET reversal_closing_id = ?
       WHERE taken_by = ? AND reversed_at IS NOT NULL AND reversal_closing_id IS NULL AND isp_id = ?`,
    )
    .run(id, staffId, ispId);
}
