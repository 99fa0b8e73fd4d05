import type { IconName } from "../pages/icons.tsx";
import { type Actor, may, seesWholeIsp } from "../../domain/core/actor/actor.ts";

interface Entry {
  readonly href: string;
  readonly icon: IconName;
  readonly letter: string;
  /** Any of these; empty: everybody. */
  readonly flags: readonly string[];
  /** Hidden from accounts of a branch or reseller. */
  readonly ofWholeIsp?: boolean;
}

/** Places in the order of the sidebar. */
export const places = {
  today: { href: "/console", icon: "today", letter: "t", flags: [] },
  subscribers: { href: "/console/subscribers", icon: "people", letter: "s", flags: ["subscriber_view"] },
  online: { href: "/console/online", icon: "sessions", letter: "o", flags: ["session_view"] },
  logins: { href: "/console/logins", icon: "leave", letter: "l", flags: ["session_view"] },
  money: {
    href: "/console/money",
    icon: "money",
    letter: "m",
    flags: ["payment_view", "invoice_view", "closing_own", "payment_match"],
  },
  packages: { href: "/console/packages", icon: "package", letter: "p", flags: ["package_view"] },
  cards: { href: "/console/cards", icon: "card", letter: "c", flags: ["card_view"] },
  boxes: { href: "/console/boxes", icon: "box", letter: "b", flags: ["subscriber_plant"] },
  reports: { href: "/console/reports", icon: "chart", letter: "r", flags: ["report_view"] },
  routers: { href: "/console/routers", icon: "router", letter: "n", flags: ["nas_view"] },
  messages: {
    href: "/console/messages",
    icon: "chat",
    letter: "e",
    flags: ["message_view"],
    ofWholeIsp: true,
  },
  trail: { href: "/console/trail", icon: "history", letter: "a", flags: ["audit_view"], ofWholeIsp: true },
  settings: {
    href: "/console/settings",
    icon: "settings",
    letter: "x",
    flags: [
      "setting_manage",
      "place_view",
      "staff_view",
      "role_view",
      "data_import",
      "api_key_manage",
      "webhook_manage",
      "nas_manage",
    ],
  },
} as const satisfies Record<string, Entry>;

export type PlaceName = keyof typeof places;

/** Groups of the sidebar. */
const groups: readonly (readonly PlaceName[])[] = [
  ["today", "subscribers", "online", "logins"],
  ["money", "reports"],
  ["routers", "boxes", "packages", "cards", "messages"],
  ["trail", "settings"],
];

export function listPlaces(by: Actor): PlaceName[][] {
  const open = (name: PlaceName) => {
    const { flags, ofWholeIsp }: Entry = places[name];
    if (ofWholeIsp === true && !seesWholeIsp(by.scope)) return false;
    return flags.length === 0 || flags.some((flag) => may(by, flag));
  };
  return groups.map((group) => group.filter(open)).filter((group) => group.length > 0);
}

/** The sidebar's entry for a path, if visible; Today has none below it. */
export function findPlace(by: Actor, path: string): PlaceName | null {
  const open = listPlaces(by).flat();
  return open.find((name) => name !== "today" && `${path}/`.startsWith(`${places[name].href}/`)) ?? null;
}

/** Shortcuts of the foot beside sidebar pages. */
const shortcuts = {
  find: { href: "/console/subscribers", icon: "search" },
  sell: { href: "/console/cards", icon: "card" },
  signUp: { href: "/console/sign-up", icon: "plus" },
  wallet: { href: "/console/money/wallets", icon: "money" },
  me: { href: "/console/me", icon: "person" },
  more: { href: "/console/more", icon: "menu" },
} as const satisfies Record<string, Pick<Entry, "href" | "icon">>;

type Shortcut = keyof typeof shortcuts;

interface FootPoint {
  readonly name: PlaceName | Shortcut;
  readonly href: string;
  readonly icon: IconName;
}

/** Points at the foot, at most five: what resellers sell, what technicians stand before, for others their first pages. The last one leads to the rest. */
export function buildFoot(by: Actor): FootPoint[] {
  const open = listPlaces(by).flat();
  const isReseller = by.scope.salespersonId !== null;
  const isInTheStreet =
    may(by, "subscriber_plant") && !by.admin && !may(by, "payment_view") && !may(by, "payment_take");
  if (isReseller) {
    const selling: [Shortcut, boolean][] = [
      ["sell", may(by, "card_sell") && may(by, "card_view")],
      ["signUp", may(by, "subscriber_add")],
      ["wallet", may(by, "wallet_view")],
    ];
    const visible = selling.filter(([, isOpen]) => isOpen).map(([name]) => name);
    return [...open.filter((name) => name === "subscribers"), ...visible, "more" as const].map(toFootPoint);
  }
  if (!isInTheStreet) return [...open.slice(0, 4), "more" as const].map(toFootPoint);
  const lines = open.filter((name) => name === "online" || name === "logins");
  const find = open.includes("subscribers") ? (["find"] as const) : [];
  return [...(["boxes"] as const), ...find, ...lines, "me" as const].map(toFootPoint);
}

function toFootPoint(name: PlaceName | Shortcut): FootPoint {
  const { href, icon } = isPlace(name) ? places[name] : shortcuts[name];
  return { name, href, icon };
}

export function isPlace(name: PlaceName | Shortcut): name is PlaceName {
  return Object.hasOwn(places, name);
}
