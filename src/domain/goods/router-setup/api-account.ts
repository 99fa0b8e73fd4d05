import { randomBytes } from "node:crypto";
import { type Db, write } from "../../../../db/open.ts";
import { nas } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { splitZone } from "../../core/networks/zone.ts";
import type { Seconds } from "../../core/time/time.ts";
import { defaultRouterosPort } from "../nas/fields.ts";
import { nasById } from "../nas/find.ts";
import { nasRecord } from "../nas/nas.ts";

export interface ApiAccount {
  username: string;
  password: string;
}

export const API_USERNAME = "gatehouse";

export function apiAccount(db: Db, by: Actor, nasId: number, { now }: { now: Seconds }): ApiAccount | null {
  permit(by, "apiAccount");
  requireWholeIsp(by, "routers");
  const router = nasById(db, by.scope, nasId);
  if (router.routerosUsername !== null && router.routerosPasswordSealed !== null) {
    return { username: router.routerosUsername, password: db.vault.openText(router.routerosPasswordSealed) };
  }
  if (router.address.includes("/")) return null;
  const account = { username: API_USERNAME, password: randomBytes(18).toString("base64url") };
  write(db, (tx) => {
    const columns = {
      routerosHost: splitZone(router.address).host,
      routerosPort: defaultRouterosPort(false),
      routerosUsername: account.username,
      routerosPasswordSealed: tx.vault.seal(account.password),
    };
    update(tx, nas, columns, { id: router.id });
    audit(tx, by, now, {
      action: "nas.api_account",
      entity: "nas",
      entityId: router.id,
      ispId: router.ispId,
      before: nasRecord(router),
      after: nasRecord({ ...router, ...columns }),
    });
  });
  return account;
}
