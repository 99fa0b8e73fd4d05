import { type Db, write } from "../../../../db/open.ts";
import { addFault } from "../../core/fields/fields.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { Phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { changeSetting, readSetting, type SettingAnswer, settingByName, trySetting } from "./change.ts";
import { currencyFault } from "./currency.ts";
import { APPLIANCE, type SettingKey } from "../../core/settings/settings.ts";

export interface PlannedChange {
  readonly key: SettingKey;
  readonly before: SettingAnswer;
  readonly after: SettingAnswer;
}

/** Changed values, each tried as by trySetting, not stored. Throws `invalid` with all faults, `forbidden` and `not_found` as changeSetting. */
export async function plannedSettings(
  db: Db,
  by: Actor,
  { values }: { values: Readonly<Record<string, unknown>> },
): Promise<PlannedChange[]> {
  permit(by, "plannedSettings");
  const faults: Faults = {};
  const changes: PlannedChange[] = [];
  for (const [key, value] of Object.entries(values)) {
    const read = await tried(db, by, { key, value });
    if (read instanceof Phrase) addFault(faults, key, read);
    else if (read.before !== read.after) changes.push(read);
  }
  rejectFaults(faults);
  return changes;
}

async function tried(
  db: Db,
  by: Actor,
  { key: name, value }: { key: string; value: unknown },
): Promise<PlannedChange | Phrase> {
  try {
    const { key, accepted: after } = readSetting(by, { key: name, value });
    const before = settingByName(db, by, { key });
    if (before === after) return { key, before, after }; // as it stands it is no question
    await trySetting(db, by, { key, value });
    const fault = key === "currency" ? currencyFault(db, by.scope.ispId ?? APPLIANCE, after) : undefined;
    return fault ?? { key, before, after };
  } catch (error) {
    if (!(error instanceof DomainError) || !["invalid", "refused"].includes(error.kind)) throw error;
    const { message, fields = {} } = error.phrases;
    return Object.values(fields).flat()[0] ?? message;
  }
}

/** Stores all or none. Throws as changeSetting. */
export function changeSettings(
  db: Db,
  by: Actor,
  { changes }: { changes: readonly Pick<PlannedChange, "key" | "after">[] },
  { now }: { now: Seconds },
): void {
  permit(by, "changeSettings");
  write(db, (tx) => {
    for (const { key, after } of changes) changeSetting(tx, by, { key, value: after }, { now });
  });
}
