import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { setSubscriberStatus } from "../../goods/subscribers/status.ts";
import { type ControlNeeds, endOpenSessions, type Ended } from "./disconnect.ts";

/**
 * Disables a subscriber and disconnects it, whatever disconnect_enabled says. A failing router undoes nothing; the server
 * retries. Throws not_found.
 */
export async function disableSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { clock, routers }: ControlNeeds,
): Promise<Ended> {
  permit(by, "disableSubscriber");
  setSubscriberStatus(db, by, { subscriberId, enabled: false }, { now: clock() });
  const subscriber = subscriberById(db, by.scope, subscriberId);
  return endOpenSessions(db, subscriber, { clock, by, routers });
}
