import type { Db } from "../../../db/open.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { subscriberById } from "../subscribers/find.ts";
import { setSubscriberStatus } from "../subscribers/status.ts";
import { type ControlNeeds, endSessions, openSessions } from "./disconnect.ts";

/** What came of the sessions that were open: those that are over, and why others go on. */
export interface Disabled {
  ended: number;
  failures: string[];
}

/**
 * Disables a subscriber and ends its open sessions, whatever disconnect_enabled says: nobody may be online who is disabled. A
 * router that does not do it undoes nothing; a running server asks it again. Throws not_found.
 */
export async function disableSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { clock, routers }: ControlNeeds,
): Promise<Disabled> {
  permit(by, "disableSubscriber");
  setSubscriberStatus(db, by, { subscriberId, enabled: false }, { now: clock() });
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const asked = await endSessions(db, subscriber, openSessions(db, subscriberId), { clock, by, routers });
  const failures = asked.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  return { ended: asked.length - failures.length, failures: [...new Set(failures)] };
}
