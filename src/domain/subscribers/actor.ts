import type { Actor } from "../staff/actor.ts";
import type { Subscriber } from "./find.ts";

/** A subscriber that acts for itself, in the audit trail; it has no flag and sees the rows of nobody. */
export function subscriberActor({ username, ispId }: Subscriber, source: string): Actor {
  return {
    staffId: null,
    name: `subscriber ${username}`,
    source,
    scope: { ispId, branchId: null, salespersonId: null },
    admin: false,
    flags: new Set(),
  };
}
