import type { Faults } from "../../../../domain/core/errors/errors.ts";
import type { AuditFilter } from "../../../../domain/core/audit/audit-log.ts";
import { from, id, readFields, text, to } from "../../../../domain/core/fields/fields.ts";
import { readBefore } from "../../parts/pager.tsx";

/** Filters, as the API has them. */
const fields = {
  from,
  to,
  staff_id: id,
  actor: text(200),
  source: text(64),
  action: text(64),
  entity: text(64),
  entity_id: text(64),
};
const names = Object.keys(fields);

export interface AuditQuery {
  readonly values: Readonly<Record<string, string>>;
  readonly filter: AuditFilter;
  readonly faults: Faults;
  /** Entries older than this id. */
  readonly before: number;
  readonly isNewest: boolean;
}

export function auditQuery(query: URLSearchParams): AuditQuery {
  const of = (name: string) => query.get(name) ?? (name === "staff_id" ? query.get("staff") : null) ?? "";
  const sent = names.map((name): [string, string] => [name, of(name).trim()]);
  const filter = Object.fromEntries(sent.filter(([, value]) => value !== ""));
  const faults: Faults = {};
  const { staff_id: staffId, entity_id: entityId, ...rest } = readFields(fields, filter, faults);
  return {
    values: filter,
    filter: { ...rest, staffId, entityId },
    faults,
    before: readBefore(query),
    isNewest: !query.has("before"),
  };
}
