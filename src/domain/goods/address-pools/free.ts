import { type Db, type Tx, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Freed, NOTHING } from "./give.ts";
import { freedBefore } from "./kept.ts";

const AT_ONCE = 200;

/** Frees addresses of subscribers whose service ended `address_kept_days` ago, or who have none; frozen ones keep theirs. Returns how many. */
export function freeExpiredAddresses(db: Db, by: Actor, { now }: { now: Seconds }): number {
  permit(by, "freeExpiredAddresses");
  const until = freedBefore(db, now);
  let freed = 0;
  for (;;) {
    const some = write(db, (tx) => {
      const rows = tx.$client
        .query<Freed & { id: number; ispId: number }, [number, number]>(
          `SELECT s.id, s.isp_id AS ispId, s.pool_ip AS poolIp, s.pool_ip_from AS poolIpFrom, s.pool_prefix AS poolPrefix,
             s.pool_prefix_from AS poolPrefixFrom
           FROM (SELECT id FROM subscribers WHERE pool_ip_from IS NOT NULL UNION SELECT id FROM subscribers WHERE pool_prefix_from IS NOT NULL) has
             JOIN subscribers s ON s.id = has.id LEFT JOIN services v ON v.subscriber_id = s.id
           WHERE v.subscriber_id IS NULL OR (v.expires_at <= ? AND v.frozen_at IS NULL) LIMIT ? + 0`,
        )
        .all(until, AT_ONCE);
      for (const row of rows) freeAddresses(tx, by, row, now);
      return rows.length;
    });
    freed += some;
    if (some < AT_ONCE) return freed;
  }
}

/** Makes it available. */
function freeAddresses(
  tx: Tx,
  by: Actor,
  before: Freed & { readonly id: number; readonly ispId: number },
  now: Seconds,
): void {
  update(tx, subscribers, NOTHING, { id: before.id });
  audit(tx, by, now, {
    action: "subscriber.free_address",
    entity: "subscriber",
    entityId: before.id,
    ispId: before.ispId,
    before: {
      ...(before.poolIp !== null && { pool_ip: before.poolIp }),
      ...(before.poolPrefix !== null && { pool_prefix: before.poolPrefix }),
    },
  });
}
