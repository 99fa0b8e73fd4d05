import { and, eq } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { subscribers } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { type Scope, subscriberInScope } from "../staff/actor.ts";
import { fold } from "../text.ts";

export type Subscriber = typeof subscribers.$inferSelect;

/** The subscriber of an id within a scope. Throws not_found. */
export function subscriberById(db: Db, scope: Scope, id: number): Subscriber {
  const found = db
    .select()
    .from(subscribers)
    .where(and(eq(subscribers.id, id), subscriberInScope(scope)))
    .get();
  if (!found) throw new DomainError("not_found", `there is no subscriber ${id}`);
  return found;
}

/** The subscriber of a username, compared without case, within a scope. Throws not_found. */
export function subscriberByUsername(db: Db, scope: Scope, username: string): Subscriber {
  const found = db
    .select()
    .from(subscribers)
    .where(and(eq(subscribers.usernameKey, fold(username)), subscriberInScope(scope)))
    .get();
  if (!found) throw new DomainError("not_found", `there is no subscriber with the username ${username}`);
  return found;
}
