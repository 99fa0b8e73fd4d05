import type { Db } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { nasById } from "../nas/find.ts";
import { compareConfigs, type ConfigChanges } from "./changes.ts";
import { type ConfigCopy, listCopies, openCopy } from "./copies.ts";

/** Copies to compare, by default the newest and the one before of its kind. */
export interface ComparedCopies {
  readonly nasId: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Throws `not_found`, and `refused` without a second one, or for an export against menus. */
export function configChanges(
  db: Db,
  by: Actor,
  { nasId, from, to }: ComparedCopies,
): ConfigChanges & { readonly name: string; readonly before: ConfigCopy; readonly after: ConfigCopy } {
  permit(by, "configChanges");
  requireWholeIsp(by, "routers");
  const { name } = nasById(db, by.scope, nasId);
  const copies = listCopies(db, nasId);
  const newer = to ?? copies[0]?.id;
  if (newer === undefined)
    throw new DomainError(
      "refused",
      phrase`no configuration of ${name} was kept yet; keep one with: gatehouse nas config ${nasId} save`,
    );
  const { text: now, ...after } = openCopy(db, nasId, newer);
  const older = from ?? copies.find((one) => one.id < after.id && one.source === after.source)?.id;
  if (older === undefined)
    throw new DomainError(
      "refused",
      phrase`there is nothing before copy ${after.id} of ${name} to compare it with; the next one is kept when something was changed there`,
    );
  const { text: old, ...before } = openCopy(db, nasId, older);
  if (before.source !== after.source)
    throw new DomainError(
      "refused",
      phrase`copy ${before.id} and copy ${after.id} of ${name} were read in two ways, as an export and menu by menu, and would differ in every line; compare two of one kind`,
    );
  return { ...compareConfigs(old, now), name, before, after };
}
