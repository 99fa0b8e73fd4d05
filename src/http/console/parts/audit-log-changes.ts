import { flagDoes } from "./flags.ts";
import type { AuditEntry } from "../../../domain/core/audit/audit-log.ts";
import { isNamedKind, type Named, type NamedKind, nameKey } from "../../../domain/core/audit/audit-names.ts";
import { isSettingKey } from "../../../domain/core/settings/settings.ts";
import { parseAmount } from "../../../domain/core/amounts/money.ts";
import { parseTime } from "../../../domain/core/time/time.ts";
import type { ConsoleView } from "../view.ts";

/** A field before and after; undefined: the entry does not have it. */
export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Recorded, but unchanged. */
  readonly isSame: boolean;
}

/** Fields in the entry's order; nested ones as `routeros.host`. */
export function listChanges({ before, after }: Pick<AuditEntry, "before" | "after">): Change[] {
  const [old, now] = [flat(read(before)), flat(read(after))];
  return [...new Set([...old.keys(), ...now.keys()])].map((field) => ({
    field,
    before: old.get(field),
    after: now.get(field),
    isSame:
      JSON.stringify(old.get(field)) === JSON.stringify(now.get(field)) ||
      (isNone(old, field) && isNone(now, field)),
  }));
}

/** Absent, or null where an object may be absent as a whole. */
function isNone(of: ReadonlyMap<string, unknown>, field: string): boolean {
  return of.size > 0 && (of.get(field) ?? null) === null;
}

function read(json: string | null): unknown {
  return json === null ? {} : JSON.parse(json);
}

function flat(value: unknown, within = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (within !== "") found.set(within, value);
    return found;
  }
  for (const [name, one] of Object.entries(value))
    flat(one, within === "" ? name : `${within}.${name}`, found);
  return found;
}

/** The nouns of fields that hold an id. */
const named: Readonly<Record<string, NamedKind>> = {
  package_id: "package",
  nas_id: "nas",
  salesperson_id: "staff",
  staff_id: "staff",
  added_by: "staff",
  user_id: "subscriber",
  isp_id: "isp",
  branch_id: "branch",
  city_id: "city",
  area_id: "area",
  subarea_id: "subarea",
  role_code: "role",
};

/** Rows that an entry refers to: its subject, its actor, and ids in its fields. */
export function namedIn({ entity, entityId, staffId, before, after }: AuditEntry): Named[] {
  const found: Named[] = staffId === null ? [] : [{ kind: "staff", id: staffId }];
  if (isNamedKind(entity) && /^\d+$/.test(entityId)) found.push({ kind: entity, id: Number(entityId) });
  for (const { field, before: old, after: now } of listChanges({ before, after }))
    for (const value of [old, now]) {
      const one = referred(field, value);
      if (one) found.push(one);
    }
  return found;
}

/** The row that a field refers to. */
export function referred(field: string, value: unknown): Named | undefined {
  const kind = named[field];
  return kind !== undefined && typeof value === "number" && value > 0 ? { kind, id: value } : undefined;
}

const amounts = new Set([
  ...["price", "reseller_price", "net_price", "amount", "balance", "charged", "credited", "given_back"],
  ...["expected", "counted", "credit_limit", "portal_price"],
]);
const flags = new Set([
  ...["auto_renew", "mac_lock", "trust", "void", "end_service", "needs_second_factor", "any_connection"],
  ...["sms_status", "swap_octets", "coa_event_timestamp", "dhcp"],
]);
/** Names whose values are never shown, whatever an entry holds, but for counts. */
const secret = /pass(?:word(?!s$)|phrase)|secret|token(?!s$)|hash|sealed|recovery_code$/i;
const plainWords = new Set(["set", "ended", "changed", "1", "0", "true", "false"]);

export function valueWords(
  { format, words }: ConsoleView,
  {
    field,
    value,
    action,
    names,
  }: { field: string; value: unknown; action: string; names: ReadonlyMap<string, string> },
): string {
  const { trail: auditLog } = words;
  if (value === undefined || value === null || value === "") return auditLog.nothing;
  const last = field.split(".").at(-1) ?? field;
  if (secret.test(last) && !plainWords.has(String(value))) return auditLog.hidden;
  const reference = referred(last, value);
  if (reference) return names.get(nameKey(reference)) ?? auditLog.gone(String(value));
  if (typeof value === "boolean") return value ? auditLog.yes : auditLog.no;
  if (amounts.has(last)) {
    const minor = parseAmount(value);
    if (minor !== undefined) return format.amount(minor);
  }
  if ((flags.has(last) || action === "role.permissions") && (value === 0 || value === 1))
    return value === 1 ? auditLog.yes : auditLog.no;
  if (last === "status" && (value === 0 || value === 1))
    return value === 1 ? auditLog.enabled : auditLog.disabled;
  if (typeof value === "number") return numberWords(format, last, value);
  if (last === "flags" && typeof value === "string")
    return value
      .split(",")
      .map((flag) => flagDoes(words.team, flag) ?? flag)
      .join(words.list.comma);
  if (typeof value === "string") {
    const at = parseTime(value);
    return at === undefined ? value : format.time(at);
  }
  return plain(value);
}

function numberWords(format: ConsoleView["format"], field: string, value: number): string {
  if (/_(?:at|until|since|time)$/.test(field) && value > 100_000_000) return format.time(value);
  if (field.endsWith("_bytes")) return format.bytes(value);
  return /^id$|_id$|code$|number$|port$/.test(field) ? String(value) : format.number(value);
}

/** An unexpected shape: keys and values as JSON has them. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join("; ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name.replaceAll("_", " ")} ${secret.test(name) ? "…" : plain(one)}`)
    .join(", ");
}

/** A field's label; permissions and settings have theirs. */
export function fieldWords(view: ConsoleView, action: string, field: string): string {
  const { fields } = view.words.trail;
  const { team, settings } = view.words;
  if (action === "role.permissions") return flagDoes(team, field) ?? field;
  if (action === "setting.change") return isSettingKey(field) ? settings.words[field].name : field;
  const known = fields[field] ?? fields[field.split(".").at(-1) ?? ""];
  return known ?? field.replaceAll(/[_.]/g, " ");
}
