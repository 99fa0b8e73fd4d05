import { may, seesWholeIsp } from "../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../guard.ts";

/** Needs an Admin of the whole appliance, in place of a flag. */
const ADMIN_OF_ALL: unique symbol = Symbol("admin of all");

interface Page {
  readonly href: string;
  readonly for: string | typeof ADMIN_OF_ALL;
  /** Hidden from accounts of a branch or reseller. */
  readonly ofWholeIsp?: boolean;
}

/** Pages in the order of the tabs. */
export const settingsPages = {
  settings: { href: "/console/settings", for: "setting_manage" },
  branding: { href: "/console/settings/branding", for: "setting_manage" },
  places: { href: "/console/settings/places", for: "place_view" },
  staff: { href: "/console/settings/staff", for: "staff_view" },
  roles: { href: "/console/settings/roles", for: "role_view" },
  keys: { href: "/console/settings/keys", for: "api_key_manage" },
  webhooks: { href: "/console/settings/webhooks", for: "webhook_manage", ofWholeIsp: true },
  sources: { href: "/console/settings/payment-sources", for: "setting_manage", ofWholeIsp: true },
  shapers: { href: "/console/settings/shapers", for: "nas_manage", ofWholeIsp: true },
  import: { href: "/console/settings/import", for: "data_import", ofWholeIsp: true },
  languages: { href: "/console/settings/languages", for: ADMIN_OF_ALL },
  accessBoxes: { href: "/console/settings/access-boxes", for: ADMIN_OF_ALL },
  backups: { href: "/console/settings/backups", for: ADMIN_OF_ALL },
  appliance: { href: "/console/settings/appliance", for: ADMIN_OF_ALL },
} as const satisfies Record<string, Page>;

export type SettingsPage = keyof typeof settingsPages;
type Who = Pick<StaffVisit, "isApplianceAdmin" | "by">;
const names = Object.keys(settingsPages) as SettingsPage[]; // the keys of a constant

/** Pages that a member of staff may open. */
export function openTo({ isApplianceAdmin, by }: Who): SettingsPage[] {
  const isAdmin = isApplianceAdmin();
  return names.filter((name) => {
    const { for: needed, ofWholeIsp = false }: Page = settingsPages[name];
    if (ofWholeIsp && !seesWholeIsp(by.scope)) return false;
    return needed === ADMIN_OF_ALL ? isAdmin : may(by, needed);
  });
}

/** The first page for who may not change settings; undefined: none. */
export function firstOpen(who: Who): string | undefined {
  const [name] = openTo(who);
  return name && settingsPages[name].href;
}
