import { type Db, write } from "../../../db/open.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import { subscriberById } from "../subscribers/find.ts";
import { freezeService, type Frozen } from "../subscribers/freeze.ts";
import type { Disabled } from "./disable.ts";
import { type ControlNeeds, endSessions, openSessions } from "./disconnect.ts";

/**
 * Lets the service of a subscriber stand still and ends its open sessions, whatever disconnect_enabled says. A router that does
 * not do it undoes nothing; a running server asks it again. Throws not_found, refused.
 */
export async function freezeSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { clock, routers }: ControlNeeds,
): Promise<Frozen & Disabled> {
  permit(by, "freezeSubscriber");
  const frozen = write(db, (tx) => freezeService(tx, by, subscriberId, clock()));
  const subscriber = subscriberById(db, by.scope, subscriberId);
  const asked = await endSessions(db, subscriber, openSessions(db, subscriberId), { clock, by, routers });
  const failures = asked.flatMap(({ answer }) => (answer.kind === "failed" ? [answer.reason] : []));
  return { ...frozen, ended: asked.length - failures.length, failures: [...new Set(failures)] };
}
