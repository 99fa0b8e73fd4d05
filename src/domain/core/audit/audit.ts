import { insert } from "../../../../db/insert.ts";
import type { Tx } from "../../../../db/open.ts";
import { auditEntries } from "../../../../db/schema.ts";
import { announceAudited, type AuditEvent } from "./of-audit.ts";
import type { Actor } from "../actor/actor.ts";
import type { Seconds } from "../time/time.ts";

/** Records an action in its transaction, and announces it. */
export function audit(tx: Tx, actor: Actor, now: Seconds, entry: AuditEvent): void {
  const { before, after, entityId, ...event } = entry;
  insert(tx, auditEntries, {
    ...event,
    at: now,
    staffId: actor.staffId,
    actor: actor.name,
    source: actor.source,
    entityId: String(entityId),
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  });
  announceAudited(tx, { ...entry, by: actor }, now);
}

type OfIsp = { readonly id: number; readonly ispId: number | null };

/** What an entry says of a row: of which kind it is, whose, and what was done. */
export const auditEntry =
  (entity: string) =>
  ({ id, ispId }: OfIsp, what: string) => ({
    action: `${entity}.${what}`,
    entity,
    entityId: id,
    ispId,
  });
