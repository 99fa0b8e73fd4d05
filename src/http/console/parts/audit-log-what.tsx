import { isNamedKind, nameKey } from "../../../domain/core/audit/audit-names.ts";
import type { AuditEntry } from "../../../domain/core/audit/audit-log.ts";
import { may } from "../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../guard.ts";
import { auditLogHref } from "./hrefs.ts";
import { listChanges, referred } from "./audit-log-changes.ts";
import { settingsPages } from "./settings-pages.ts";

interface WhatProps {
  visit: StaffVisit;
  entry: AuditEntry;
  names: ReadonlyMap<string, string>;
  /** Filters that stay on links to the audit log. */
  narrow?: Parameters<typeof auditLogHref>[0];
}

/** Stands for the name in a sentence; no name has this character. */
const PLACE = "\u0000";

/** The action with a link to its subject. */
export function What({ visit, entry, names, narrow = { values: {} } }: WhatProps) {
  const { trail: auditLog } = visit.view.words;
  const { action, entity, entityId } = entry;
  const [before = "", after] = (auditLog.actions[action] ?? auditLog.other(action))(PLACE).split(PLACE);
  const hasPlace = after !== undefined;
  const name = findName(visit, entry, names);
  const href =
    findAddress(visit, entry) ??
    (entityId === "" ? undefined : auditLogHref(narrow, { entity, entity_id: entityId }));
  return (
    <>
      {before}
      {hasPlace &&
        (href === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={href}>
            <bdi>{name}</bdi>
          </a>
        ))}
      {after}
    </>
  );
}

/** The action in words, of what is not done yet and has no page. */
export function whatWords(visit: StaffVisit, entry: AuditEntry, names: WhatProps["names"]): string {
  const { actions, other } = visit.view.words.trail;
  return (actions[entry.action] ?? other(entry.action))(
    visit.view.format.name(findName(visit, entry, names)),
  );
}

/** The subject's current name, else the one in its last entry. */
function findName(
  { view: { words } }: StaffVisit,
  { entity, entityId, before, after }: AuditEntry,
  names: ReadonlyMap<string, string>,
): string {
  const known = isNamedKind(entity) ? names.get(nameKey({ kind: entity, id: Number(entityId) })) : undefined;
  if (known !== undefined) return known;
  const named = listChanges({ before, after }).find(({ field }) => field === "name" || field === "number");
  const name = named?.after ?? named?.before;
  return typeof name === "string" && name !== "" ? name : words.trail.numbered(entity, entityId);
}

/** Pages of subjects, and the flags that open them. */
const pages: Readonly<Record<string, readonly [flag: string, path: (id: string) => string]>> = {
  subscriber: ["subscriber_view", (id) => `/console/subscribers/${id}`],
  package: ["package_view", (id) => `/console/packages/${id}`],
  invoice: ["invoice_view", (id) => `/console/money/invoices/${id}`],
  payment: ["payment_view", (id) => `/console/money/payments/${id}`],
  bulk: ["subscriber_bulk", (id) => `/console/subscribers/jobs/${id}`],
  closing: ["closing_own", () => "/console/money/closing"],
  setting: ["setting_manage", (id) => `${settingsPages.settings.href}/set/${encodeURIComponent(id)}`],
  nas: ["nas_view", (id) => `/console/routers/${id}`],
  staff: ["staff_view", (id) => `${settingsPages.staff.href}/${id}`],
  api_key: ["api_key_manage", (id) => `${settingsPages.keys.href}/${id}`],
  role: ["role_view", (id) => `${settingsPages.roles.href}/${id}`],
  move: ["data_import", (id) => `${settingsPages.import.href}/moves/${id}`],
  ...Object.fromEntries(
    ["isp", "branch", "city", "area", "subarea"].map((kind) => [
      kind,
      ["place_view", () => settingsPages.places.href] as const,
    ]),
  ),
};

/** The subject's page for who may see it; a deleted one answers not_found. */
function findAddress(
  { by, isApplianceAdmin }: StaffVisit,
  { entity, entityId, action, after }: AuditEntry,
): string | undefined {
  if (/\.(?:delete|remove)$/.test(action)) return undefined;
  if (entity === "backup" && isApplianceAdmin()) return settingsPages.backups.href;
  const [flag, path] = pages[entity] ?? [];
  if (flag !== undefined && may(by, flag)) return path?.(entityId);
  const account = listChanges({ before: null, after }).find(({ field }) => field === "user_id");
  const subscriber = account && referred(account.field, account.after);
  return subscriber && may(by, "subscriber_view") ? `/console/subscribers/${subscriber.id}` : undefined;
}
