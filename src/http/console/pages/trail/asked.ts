import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { AuditFilter } from "../../../../domain/core/audit/audit-trail.ts";
import { from, id, readFields, text, to } from "../../../../domain/core/fields/fields.ts";
import { beforeOf } from "../../log.tsx";

export const TRAIL = "/console/trail";

/** What of the trail can be asked for, as the API has it. */
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

/** What of the trail an address asks for. */
export interface AskedTrail {
  /** By the names of fields, as they were sent. */
  readonly given: Readonly<Record<string, string>>;
  readonly filter: AuditFilter;
  readonly faults: FieldErrors;
  /** Those before the entry of this id. */
  readonly before: number;
  readonly isNewest: boolean;
}

export function askedTrail(query: URLSearchParams): AskedTrail {
  const of = (name: string) => query.get(name) ?? (name === "staff_id" ? query.get("staff") : null) ?? "";
  const sent = names.map((name): [string, string] => [name, of(name).trim()]);
  const given = Object.fromEntries(sent.filter(([, value]) => value !== ""));
  const faults: FieldErrors = {};
  const { staff_id: staffId, entity_id: entityId, ...rest } = readFields(fields, given, faults);
  return {
    given,
    filter: { ...rest, staffId, entityId },
    faults,
    before: beforeOf(query),
    isNewest: !query.has("before"),
  };
}

/** The address of what is asked with some fields changed, from the newest on; null takes one out. */
export function hrefOf(
  { given }: Pick<AskedTrail, "given">,
  changes: Readonly<Record<string, string | null>> = {},
  path = TRAIL,
): string {
  const query = new URLSearchParams(given);
  for (const [name, value] of Object.entries(changes))
    if (value === null) query.delete(name);
    else query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
