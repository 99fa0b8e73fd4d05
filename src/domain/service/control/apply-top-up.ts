import type { Db } from "../../../../db/open.ts";
import { AccessReader } from "../access/reader.ts";
import { serviceOf } from "../activation/plan.ts";
import { isCutByRouter, termsInForce } from "../fair-use/terms.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { operator } from "../../core/actor/operator.ts";
import { applySale } from "./apply-change.ts";
import { type ControlNeeds, openSessions } from "./disconnect.ts";

/**
 * Gives the open sessions of a subscriber what a top-up or a card brought, after its commit, in the appliance's name: the rate and the new end, and
 * to routers that count the volume themselves the new bound, so that they do not cut the session at the old one. In words.
 */
export async function applyTopUp(
  db: Db,
  { subscriberId, invoiceId }: { subscriberId: number; invoiceId: number },
  { clock, routers }: ControlNeeds,
): Promise<string> {
  const text = await applySale(db, { subscriberId, invoiceId }, { clock, routers });
  const refused = await tellLimits(db, subscriberId, { clock, routers });
  return refused === undefined
    ? text
    : `${text} The router cuts the session at the old volume, and the subscriber dials in again once (${refused}).`;
}

/** Tells routers that count the volume themselves what top-ups have added. Why one did not take it; undefined: all did, or none had to. */
export async function tellLimits(
  db: Db,
  subscriberId: number,
  { clock, routers }: ControlNeeds,
): Promise<string | undefined> {
  const service = serviceOf(db, subscriberId);
  if (!service || service.extraBytes === 0 || service.quotaTotal === 0 || !isCutByRouter(service))
    return undefined;
  const subscriber = subscriberById(
    db,
    { ...operator("gatehouse", "system").scope, archived: true },
    subscriberId,
  );
  const { rate, total, used } = termsInForce(service, clock());
  // what may stand in place of the package's own rate, as at a login
  const added =
    rate === service.rateLimit
      ? new AccessReader(db).candidate(subscriber.usernameKey)?.reply?.toJSON()
      : undefined;
  let refused: string | undefined;
  for (const session of openSessions(db, subscriberId)) {
    if (session.acceptedAs !== "accepted") continue; // the others were told no bound
    const bound = session.inputOctets + session.outputOctets + total - used;
    const answer = await routers.changeRate(subscriber, session, {
      rateLimit: rate ?? "",
      added,
      totalLimit: bound,
    });
    if (answer.kind === "failed") refused = answer.reason;
  }
  return refused;
}
