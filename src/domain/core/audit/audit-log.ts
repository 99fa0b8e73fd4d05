import { selectColumns } from "../../../../db/columns.ts";
import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { auditEntries } from "../../../../db/schema.ts";
import { type Actor, requireWholeIsp } from "../actor/actor.ts";
import { permit } from "../actor/permissions.ts";
import type { Seconds } from "../time/time.ts";

export type AuditEntry = typeof auditEntries.$inferSelect;

export interface AuditFilter {
  readonly from?: Seconds | null | undefined;
  /** Inclusive. */
  readonly to?: Seconds | null | undefined;
  readonly staffId?: number | null | undefined;
  readonly actor?: string | null | undefined;
  readonly source?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly entity?: string | null | undefined;
  readonly entityId?: string | null | undefined;
}

const select = `SELECT ${selectColumns(auditEntries, "e")} FROM audit_entries e`;

/**
 * Newest first, of the actor's ISP; entries of the whole box for its operator. Throws `forbidden` to accounts of a branch and
 * Resellers, for entries have neither.
 */
export function auditLog(
  db: Db,
  by: Actor,
  filter: AuditFilter,
  { limit, before }: { limit: number; before: number },
): AuditEntry[] {
  permit(by, "auditLog");
  requireWholeIsp(by, "entries of the audit trail");
  return entries(db, by, { filter, limit, within: inTime(filter, before) });
}

function entries(
  db: Db,
  by: Actor,
  { filter, limit, within }: { filter: AuditFilter; limit: number; within: Condition },
): AuditEntry[] {
  // a plus disables an index that nearly all entries match, and whose use would sort them for each page
  const { text, values } = all(
    within,
    equal("+e.isp_id", by.scope.ispId),
    equal("e.staff_id", filter.staffId),
    equal("e.actor", filter.actor),
    equal("e.source", filter.source),
    equal("e.action", filter.action),
    ofEntity(filter),
  );
  return db.$client
    .query<AuditEntry, Value[]>(`${select} WHERE ${text} ORDER BY e.id DESC LIMIT ? + 0`)
    .all(...values, limit);
}

/** Entries scanned for a page without a selective index. */
const LOOKED = 20_000;

/** `older`: where the next page begins, even without a match so far; null at the end. Throws as auditLog. */
export function auditPage(
  db: Db,
  by: Actor,
  filter: AuditFilter,
  { limit, before }: { limit: number; before: number },
): { rows: AuditEntry[]; older: number | null } {
  permit(by, "auditLog");
  requireWholeIsp(by, "entries of the audit trail");
  const { first, last } = idsIn(db, filter);
  const end = Math.min(before, last + 1);
  const isIndexed = Boolean(filter.entity && filter.entityId);
  const begin = isIndexed ? first : Math.max(first, end - LOOKED);
  const within = all(
    { text: "e.id >= ? AND e.id < ?", values: [begin, end] },
    isSet(filter.from) ? { text: "+e.at >= ?", values: [filter.from] } : undefined,
    isSet(filter.to) ? { text: "+e.at <= ?", values: [filter.to] } : undefined,
  );
  const found = entries(db, by, { filter, limit: limit + 1, within });
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, older: rows.at(-1)?.id ?? null };
  return { rows, older: begin > first && end > begin ? begin : null };
}

function idsIn({ $client }: Db, { from, to }: AuditFilter): { first: number; last: number } {
  const one = (text: string, ...values: number[]) =>
    $client.query<{ n: number | null }, number[]>(text).get(...values)?.n ?? undefined;
  const newest = one("SELECT max(id) AS n FROM audit_entries") ?? 0;
  const isBeyond = (order: string, than: (at: Seconds) => boolean) => {
    const at = one(`SELECT ${order}(at) AS n FROM audit_entries`);
    return at === undefined || than(at);
  };
  return {
    first:
      !isSet(from) || isBeyond("min", (at) => from <= at)
        ? 1
        : (one("SELECT min(+id) AS n FROM audit_entries WHERE at >= ?", from) ?? newest + 1),
    last:
      !isSet(to) || isBeyond("max", (at) => to >= at)
        ? newest
        : (one("SELECT max(+id) AS n FROM audit_entries WHERE at <= ?", to) ?? 0),
  };
}

/** Older than an id, within a time whose ids are looked up first. */
function inTime({ from, to }: AuditFilter, before: number): Condition {
  return all(
    isSet(to)
      ? {
          text: "e.id < min(?, (SELECT max(+id) + 1 FROM audit_entries WHERE at <= ?)) AND +e.at <= ?",
          values: [before, to, to],
        }
      : { text: "e.id < ?", values: [before] },
    isSet(from)
      ? {
          text: "e.id >= (SELECT min(+id) FROM audit_entries WHERE at >= ?) AND +e.at >= ?",
          values: [from, from],
        }
      : undefined,
  );
}

function ofEntity({ entity, entityId }: AuditFilter): Condition {
  const plus = entity && entityId ? "" : "+";
  return all(equal(`${plus}e.entity`, entity), equal(`${plus}e.entity_id`, entityId));
}

function isSet(at: Seconds | null | undefined): at is Seconds {
  return at !== null && at !== undefined;
}
