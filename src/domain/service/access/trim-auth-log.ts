import { type Db, write } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";

const DAY = 86_400;
/** Rows per delete transaction: a few milliseconds of the write lock. */
const STEP = 1000;
/** Milliseconds between two transactions, for other writers. */
const PAUSE = 20;

/**
 * Deletes login decisions older than auth_log_days or beyond auth_log_rows, oldest first and in small steps, so that logins and
 * accounting never wait. Returns how many.
 */
export async function trimAuthLog(db: Db, by: Actor, { now }: { now: Seconds }): Promise<number> {
  permit(by, "trimAuthLog");
  const oldestKept = now - setting(db, "auth_log_days") * DAY;
  const rows = setting(db, "auth_log_rows");
  // ids only grow, so the newest id minus the rows to keep is a bound without counting
  const statement = db.$client.query<unknown, { oldestKept: number; rows: number }>(
    `DELETE FROM auth_log WHERE id IN (
       SELECT id FROM auth_log ORDER BY id LIMIT ${STEP}
     ) AND (at < $oldestKept OR id <= (SELECT max(id) FROM auth_log) - $rows)`,
  );
  let forgotten = 0;
  for (;;) {
    const { changes } = write(db, () => statement.run({ oldestKept, rows }));
    forgotten += changes;
    if (changes < STEP) return forgotten;
    await Bun.sleep(PAUSE);
  }
}
