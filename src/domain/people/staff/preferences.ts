import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { staffPreferences } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ownAccount, ownId } from "./second-factor.ts";

/* How one member of staff likes the console. It is nobody else's concern, so the trail has nothing of it. */

/** Bytes of JSON that one preference may have. */
const LONGEST = 4000;

/** A preference of the own account; undefined where none was set. */
export function ownPreference(db: Db, by: Actor, key: string): unknown {
  permit(by, "ownPreference");
  const id = ownId(by);
  const row = db.$client
    .query<{ value: string }, [number, string]>(
      "SELECT value FROM staff_preferences WHERE staff_id = ? AND key = ?",
    )
    .get(id, key);
  return row ? JSON.parse(row.value) : undefined;
}

/** Sets one. What is too long to be one is left as it was. */
export function setOwnPreference(db: Db, by: Actor, { key, value }: { key: string; value: unknown }): void {
  permit(by, "setOwnPreference");
  const json = JSON.stringify(value);
  if (json.length > LONGEST) return;
  write(db, (tx) => {
    const row = { staffId: ownAccount(tx, by).id, key, value: json };
    insert(tx, staffPreferences, row, { replacing: ["staffId", "key"] });
  });
}
