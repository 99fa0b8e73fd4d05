import { type Db, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { freezeService, type Frozen } from "./freeze-service.ts";
import { type ControlNeeds, endOpenSessions, type Ended } from "../../service/control/disconnect.ts";

/** Ends sessions, whatever disconnect_enabled says; failures are retried. Throws not_found, refused. */
export async function freezeSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { clock, routers }: ControlNeeds,
): Promise<Frozen & Ended> {
  permit(by, "freezeSubscriber");
  const frozen = write(db, (tx) => freezeService(tx, by, subscriberId, clock()));
  const subscriber = subscriberById(db, by.scope, subscriberId);
  return { ...frozen, ...(await endOpenSessions(db, subscriber, { clock, by, routers })) };
}
