import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { AccessReader } from "../access/reader.ts";
import { findService } from "../activation/plan.ts";
import { isCutByRouter, termsInForce } from "../fair-use/terms.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { operator } from "../../core/actor/operator.ts";
import { applySale } from "./apply-change.ts";
import { type ControlNeeds, openSessions } from "./disconnect.ts";

/**
 * Applies a top-up or card to open sessions after its commit, as the appliance: rate, end, and for routers that count the quota
 * themselves its new limit. Returns words.
 */
export async function applyTopUp(
  db: Db,
  { subscriberId, invoiceId }: { subscriberId: number; invoiceId: number },
  { clock, routers }: ControlNeeds,
): Promise<Phrase> {
  const text = await applySale(db, { subscriberId, invoiceId }, { clock, routers });
  const refused = await tellLimits(db, subscriberId, { clock, routers });
  return refused === undefined
    ? text
    : phrase`${text} The router cuts the session at the old volume, and the subscriber dials in again once (${refused}).`;
}

/** Updates the limit at routers that count the quota themselves. Returns why one failed; undefined: none did. */
export async function tellLimits(
  db: Db,
  subscriberId: number,
  { clock, routers }: ControlNeeds,
): Promise<string | undefined> {
  const service = findService(db, subscriberId);
  if (!service || service.extraBytes === 0 || service.quotaTotal === 0 || !isCutByRouter(service))
    return undefined;
  const subscriber = subscriberById(
    db,
    { ...operator("gatehouse", "system").scope, archived: true },
    subscriberId,
  );
  const { rate, total, used } = termsInForce(service, clock());
  // reply attributes that replace the package's rate, as at login
  const added =
    rate === service.rateLimit
      ? new AccessReader(db).candidate(subscriber.usernameKey)?.reply?.toJSON()
      : undefined;
  let refused: string | undefined;
  for (const session of openSessions(db, subscriberId)) {
    if (session.acceptedAs !== "accepted") continue; // the others have no limit at their router
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
