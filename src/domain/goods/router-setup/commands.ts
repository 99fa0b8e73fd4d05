import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { parseResolvers } from "../../core/settings/garden-settings.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Nas, nasById, nasIn } from "../nas/find.ts";
import { confiningLists, noteGarden, readGarden } from "./garden.ts";
import { kindSections } from "./kind-script.ts";
import type { NasKind } from "../nas/kinds.ts";
import {
  certifiedPlace,
  kindScript,
  requireRadsec,
  type ScriptPlace,
  scriptSections,
  toQueues,
} from "./script.ts";
import type { ScriptPart } from "./parts.ts";
import { secretSet } from "../nas/secret-use.ts";

export const extraParts = ["hotspot", "walled"] as const;
export type ExtraPart = (typeof extraParts)[number];

export interface Commands {
  readonly kind: NasKind;
  readonly sections: readonly { readonly part: ScriptPart; readonly commands: readonly string[] }[];
  readonly server: string;
  readonly secret: string | null;
  readonly isRadsec: boolean;
}

/** What stands in place of a hidden secret. */
export const HIDDEN_SECRET = "<secret>";

/**
 * The commands that set a router up, with its secret until the router has used it; the first showing is audited. Throws `not_found`; rejects with `refused` without a way to
 * the router or a walled garden.
 */
export async function commandsFor(
  db: Db,
  by: Actor,
  {
    router: which,
    extras,
    isInUse,
  }: { router: number | Nas; extras: readonly ExtraPart[]; isInUse: boolean },
  {
    now,
    findPlace,
  }: { now: Seconds; findPlace: (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace> },
): Promise<Commands> {
  permit(by, "commandsFor");
  requireWholeIsp(by, "routers");
  const before = nasIn(db, by.scope, which);
  const isOther = before.kind !== "mikrotik";
  const expiredLists = extras.includes("walled") && !isOther ? confiningLists(db, before) : [];
  const reached = await findPlace(before, expiredLists);
  const router = nasById(db, by.scope, before.id); // as it is now
  const place = certifiedPlace(db, router, reached);
  const isRadsec = router.radsec === 1;
  const secret = isInUse || isRadsec ? null : db.vault.openText(router.secretSealed);
  if (secret !== null) noteView(db, by, router, now);
  const { kind } = router;
  if (kind !== "mikrotik") {
    rememberGarden(db, router);
    const sections = kindSections(kind, kindScript(db, router, place, secret ?? HIDDEN_SECRET));
    return { kind, sections, server: place.server, secret, isRadsec };
  }
  if (expiredLists.length > 0) rememberGarden(db, router);
  const sections = scriptSections({
    ...place,
    expiredLists,
    api: null,
    secret: secret ?? HIDDEN_SECRET,
    radsec: requireRadsec(db, router, place, now),
    coaPort: router.coaPort,
    dhcp: router.dhcp === 1,
    queues: toQueues(router),
    interimInterval: setting(db, "acct_interim_interval"),
    resolvers: parseResolvers(setting(db, "garden_dns")),
  });
  const visible = sections.filter(({ part }) => part !== "hotspot" || extras.includes("hotspot"));
  return { kind, sections: visible, server: place.server, secret, isRadsec };
}

function rememberGarden(db: Db, router: Nas): void {
  if (router.gardenTold === readGarden(db, router)) return;
  write(db, (tx) => noteGarden(tx, router));
}

function noteView(db: Db, by: Actor, router: Nas, now: Seconds): void {
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
