import type { Child } from "hono/jsx";
import { isAdminOfAll, may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";

/** Who a page is for: a flag of the role, or an Admin of all that is on the box. */
const ADMIN_OF_ALL: unique symbol = Symbol("admin of all");

interface Page {
  readonly href: string;
  readonly for: string | typeof ADMIN_OF_ALL;
  /** Not for accounts of a branch or of a reseller. */
  readonly ofWholeIsp?: boolean;
}

/** The pages below Settings, in the order of their tabs. */
const pages = {
  settings: { href: "/console/settings", for: "setting_manage" },
  branding: { href: "/console/settings/branding", for: "setting_manage" },
  places: { href: "/console/settings/places", for: "place_view" },
  staff: { href: "/console/settings/staff", for: "staff_view" },
  roles: { href: "/console/settings/roles", for: "role_view" },
  webhooks: { href: "/console/settings/webhooks", for: "webhook_manage", ofWholeIsp: true },
  sources: { href: "/console/settings/payment-sources", for: "setting_manage", ofWholeIsp: true },
  import: { href: "/console/settings/import", for: "data_import", ofWholeIsp: true },
  accessBoxes: { href: "/console/settings/access-boxes", for: ADMIN_OF_ALL },
  backups: { href: "/console/settings/backups", for: ADMIN_OF_ALL },
  appliance: { href: "/console/settings/appliance", for: ADMIN_OF_ALL },
} as const satisfies Record<string, Page>;

export type SettingsPage = keyof typeof pages;
type Who = Pick<StaffVisit, "db" | "by">;
const names = Object.keys(pages) as SettingsPage[]; // the keys of a constant

/** Those that somebody may see. */
function openTo({ db, by }: Who): SettingsPage[] {
  const isOfAll = isAdminOfAll(db, by);
  return names.filter((name) => {
    const { for: needed, ofWholeIsp = false }: Page = pages[name];
    if (ofWholeIsp && !seesWholeIsp(by.scope)) return false;
    return needed === ADMIN_OF_ALL ? isOfAll : may(by, needed);
  });
}

/** Where somebody begins who may not change settings; undefined: nowhere. */
export function firstOpen(who: Who): string | undefined {
  const [name] = openTo(who);
  return name && pages[name].href;
}

interface SettingsFrameProps {
  visit: StaffVisit;
  current: SettingsPage;
  /** Instead of the name of the tab. */
  title?: string;
  /** At the end of the head. */
  actions?: Child;
  /** Paths of scripts of this page alone. */
  scripts?: readonly string[];
  children: Child;
}

/** A page below Settings: its title, and the ways to the others that one may see. */
export function SettingsFrame({
  visit,
  current,
  title,
  actions,
  scripts = [],
  children,
}: SettingsFrameProps) {
  const { view } = visit;
  const { tabs } = view.words.settings;
  const open = openTo(visit).map((name) => ({
    href: pages[name].href,
    label: tabs[name],
    current: name === current,
  }));
  const head = title ?? tabs[current];
  return (
    <Frame
      {...{ visit, place: "settings", scripts }}
      title={`${head} · ${view.words.places.settings}`}
      {...(title !== undefined && { back: { href: pages[current].href, label: tabs[current] } })}
    >
      <div class="page-head">
        <h1>{head}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      <Tabs label={view.words.places.settings} tabs={open} />
      <div class="stack">{children}</div>
    </Frame>
  );
}
