import type { Db } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { nasById } from "../../goods/nas/find.ts";
import type { RouterMenus } from "../../goods/router-setup/menus.ts";
import { watchThrough, type WatchTools } from "./watch.ts";

/** Checks a just set-up router through the same connection: one check is enough. Failures are left to the next. */
export async function watchAfterSetup(
  db: Db,
  by: Actor,
  { nasId, menus }: { nasId: number; menus: Pick<RouterMenus, "print" | "run"> },
  tools: WatchTools,
): Promise<void> {
  permit(by, "watchAfterSetup");
  requireWholeIsp(by, "routers");
  const router = nasById(db, by.scope, nasId);
  try {
    await watchThrough(db, router, menus, { ...tools, isSure: true });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
