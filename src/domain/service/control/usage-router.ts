import type { Db } from "../../../../db/open.ts";
import { splitZone } from "../../core/networks/zone.ts";
import type { Routers } from "./routers.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { verbatim } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { isRouterUser } from "../../goods/subscribers/connection-types.ts";
import { findNas } from "../../goods/nas/find.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import type { Clock } from "../../core/time/time.ts";
import { type Usage, usageSnapshot } from "../sessions/usage.ts";

/** Usage snapshot; for the router's own users from its active list, whose entry id is the session id. Throws not_found, and router_failed. */
export async function usageNow(
  db: Db,
  by: Actor,
  subscriberId: number,
  { clock, routers }: { clock: Clock; routers: Pick<Routers, "find"> },
): Promise<Usage> {
  permit(by, "usageNow");
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const snapshot = usageSnapshot(db, subscriber);
  if (snapshot.session || !isRouterUser(subscriber.connectionTypeId)) return snapshot;
  const answer = await routers.find(subscriber, null);
  if (answer.kind === "failed") throw new DomainError("router_failed", verbatim(answer.reason));
  const [user] = answer.kind === "listed" ? answer.users : [];
  if (!user) return snapshot;
  const now = clock();
  return {
    ...snapshot,
    session: {
      ip: user.address,
      nasIp: routerAddress(db, subscriber),
      sessionId: user.id,
      mac: user.mac,
      startedAt: now - (user.uptime ?? 0),
      updatedAt: now,
    },
  };
}

function routerAddress(db: Db, { nasId }: Subscriber): string {
  const router = findNas(db, nasId);
  const address = splitZone(router?.address ?? "").host;
  return address.includes("/") ? (router?.routerosHost ?? address) : address;
}
