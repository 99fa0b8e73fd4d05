import { type Db, write } from "../../../db/open.ts";
import { audit } from "../audit.ts";
import { setting } from "../settings/settings.ts";
import { type Actor, requireWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { type Nas, nasById } from "./find.ts";
import { expiredListsOf, type ScriptPlace, scriptSections } from "./script.ts";
import type { ScriptPart } from "./setup/wanted.ts";
import { secretSet } from "./secret-use.ts";

/** What a router can be told beside what every one is. */
export const extraParts = ["hotspot", "walled"] as const;
export type ExtraPart = (typeof extraParts)[number];

export interface Commands {
  readonly sections: readonly { readonly part: ScriptPart; readonly commands: readonly string[] }[];
  readonly server: string;
  /** null: it is in use, and not shown any more. */
  readonly secret: string | null;
}

/** Stands where the secret does not. */
export const HIDDEN_SECRET = "<secret>";

/**
 * The commands for a router, with its secret as long as it is not in use. That somebody was shown it stands in the trail, once for each
 * secret. Throws `not_found`; rejects with `refused` where there is no way to the router, or no walled garden to send anybody to.
 */
export async function commandsFor(
  db: Db,
  by: Actor,
  { nasId, extras, isInUse }: { nasId: number; extras: readonly ExtraPart[]; isInUse: boolean },
  {
    now,
    placeOf,
  }: { now: Seconds; placeOf: (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace> },
): Promise<Commands> {
  permit(by, "commandsFor");
  requireWholeIsp(by, "routers");
  const before = nasById(db, by.scope, nasId);
  const expiredLists = extras.includes("walled") ? expiredListsOf(db, before.ispId) : [];
  const place = await placeOf(before, expiredLists);
  const router = nasById(db, by.scope, nasId); // as it is now
  const secret = isInUse ? null : db.vault.openText(router.secretSealed);
  if (secret !== null) noteShown(db, by, router, now);
  const sections = scriptSections({
    ...{ ...place, expiredLists, api: null },
    secret: secret ?? HIDDEN_SECRET,
    coaPort: router.coaPort,
    interimInterval: setting(db, "acct_interim_interval"),
  });
  const shown = sections.filter(({ part }) => part !== "hotspot" || extras.includes("hotspot"));
  return { sections: shown, server: place.server, secret };
}

function noteShown(db: Db, by: Actor, router: Nas, now: Seconds): void {
  const noted = db.$client
    .query<unknown, [string, string, Seconds]>(
      `SELECT 1 FROM audit_entries INDEXED BY audit_entries_entity
       WHERE entity = 'nas' AND entity_id = ? AND action = 'nas.script' AND actor = ? AND at >= ? LIMIT 1`,
    )
    .get(String(router.id), by.name, secretSet(db, router).at);
  if (noted) return;
  write(db, (tx) =>
    audit(tx, by, now, {
      action: "nas.script",
      entity: "nas",
      entityId: router.id,
      ispId: router.ispId,
    }),
  );
}
