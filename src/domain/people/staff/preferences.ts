import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { staffPreferences } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ownAccount, ownId } from "./second-factor.ts";

/* Personal preferences, not audited. */

const LONGEST = 4000;

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

export function setOwnPreference(db: Db, by: Actor, { key, value }: { key: string; value: unknown }): void {
  permit(by, "setOwnPreference");
  const json = JSON.stringify(value);
  if (json.length > LONGEST) return;
  write(db, (tx) => {
    const row = { staffId: ownAccount(tx, by).id, key, value: json };
    insert(tx, staffPreferences, row, { replacing: ["staffId", "key"] });
  });
}
