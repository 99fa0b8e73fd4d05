import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { staffPreferences } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { APPLIANCE } from "../../core/settings/settings.ts";
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

/** Languages by their tags: the own one, empty where none is chosen, and that of the ISP's messages. */
export interface Languages {
  readonly own: string;
  readonly isp: string;
}

/** Languages of account and ISP by one statement, for each page asks. */
export function ownLanguages(db: Db, by: Actor): Languages {
  permit(by, "ownLanguages");
  const row = db.$client
    .query<{ own: string | null; isp: string | null }, [number, number, number]>(
      `SELECT (SELECT value FROM staff_preferences WHERE staff_id = ? AND key = 'language') AS own,
        (SELECT value FROM settings WHERE isp_id IN (?, ?) AND key = 'message_language' ORDER BY isp_id DESC LIMIT 1) AS isp`,
    )
    .get(ownId(by), APPLIANCE, by.scope.ispId ?? APPLIANCE);
  const read = (json: string | null | undefined) => (json ? String(JSON.parse(json)) : "");
  return { own: read(row?.own), isp: read(row?.isp) };
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
