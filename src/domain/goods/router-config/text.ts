import { type Db, write } from "../../../../db/open.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Seconds } from "../../core/time/time.ts";
import { nasById } from "../nas/find.ts";
import { type ConfigCopy, openCopy } from "./copies.ts";

/** Leaves an audit entry. Throws `not_found`. */
export function configText(
  db: Db,
  by: Actor,
  { nasId, copyId }: { nasId: number; copyId: number },
  { now }: { now: Seconds },
): ConfigCopy & { readonly text: string; readonly file: string } {
  permit(by, "configText");
  requireWholeIsp(by, "routers");
  return write(db, (tx) => {
    const { name, ispId } = nasById(tx, by.scope, nasId);
    const copy = openCopy(tx, nasId, copyId);
    const after = { name, copy: copyId };
    audit(tx, by, now, { action: "nas.config_read", entity: "nas", entityId: nasId, ispId, after });
    return { ...copy, file: `${name.replace(/[^\w.-]+/g, "-")}-${copyId}.rsc` };
  });
}
