import { and, eq, isNotNull, isNull, or, type SQL } from "drizzle-orm";
import { nas, sessions } from "../../../db/schema.ts";
import { inIsp, seesWholeIsp, type Scope, subscriberInScope } from "../staff/actor.ts";

/** Joins the router of a session as far as a scope knows it: that of another ISP has an address and no name. */
export function routerInScope(scope: Scope): SQL | undefined {
  return and(eq(nas.id, sessions.nasId), inIsp(scope, nas.ispId));
}

/**
 * The sessions that a scope sees, in a query that joins `subscribers` and `nas`: those of its subscribers. A name that is no
 * subscriber's belongs to the ISP of its router, and is seen by who sees that as a whole.
 */
export function sessionInScope(scope: Scope): SQL | undefined {
  if (seesWholeIsp(scope) && scope.ispId === null) return undefined;
  const ofSubscriber = and(isNotNull(sessions.subscriberId), subscriberInScope(scope));
  if (!seesWholeIsp(scope) || scope.ispId === null) return ofSubscriber;
  return or(ofSubscriber, and(isNull(sessions.subscriberId), eq(nas.ispId, scope.ispId)));
}
