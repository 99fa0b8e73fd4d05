/** The page of the handbook that says how a page of the console is used, by its address; what is below has the same unless it has its own. */
export const chapters = {
  "/console": "daily-work",
  "/console/asked": "assistant",
  "/console/boxes": "daily-work",
  "/console/cards": "cards",
  "/console/cards/:id/print": "print-cards",
  "/console/cards/batches/:id/print": "print-cards",
  "/console/cards/templates": "print-cards",
  "/console/findings": "when-something-is-wrong",
  "/console/help": "console-pages",
  "/console/keys": "console-pages",
  "/console/logins": "add-router",
  "/console/me": "sign-in",
  "/console/messages": "outbox",
  "/console/messages/channels": "message-channels",
  "/console/messages/rules": "message-rules",
  "/console/messages/texts": "message-rules",
  "/console/money": "take-payments",
  "/console/money/arrived": "payments-that-wait",
  "/console/money/closing": "close-the-day",
  "/console/money/wallets": "close-the-day",
  "/console/more": "console-pages",
  "/console/online": "daily-work",
  "/console/outages": "daily-work",
  "/console/packages": "packages-and-roles",
  "/console/packages/:id": "fair-use",
  "/console/pay": "take-payments",
  "/console/reports": "close-the-day",
  "/console/routers": "add-router",
  "/console/routers/:id/api-setup": "set-up-router",
  "/console/routers/:id/config": "keep-router-configurations",
  "/console/routers/:id/dual-stack": "no-lag",
  "/console/routers/:id/findings/:finding/hide": "watch-routers",
  "/console/routers/:id/hotspot": "hotspot",
  "/console/routers/:id/mend": "watch-routers",
  "/console/routers/:id/radsec": "radsec",
  "/console/routers/pools": "address-pools",
  "/console/search": "daily-work",
  "/console/settings": "change-settings",
  "/console/settings/access-boxes": "access-boxes",
  "/console/settings/appliance": "upgrade",
  "/console/settings/backups": "back-up",
  "/console/settings/branding": "branding",
  "/console/settings/import": "move-in",
  "/console/settings/keys": "programs",
  "/console/settings/languages": "own-words",
  "/console/settings/payment-sources": "payment-providers",
  "/console/settings/places": "staff-and-roles",
  "/console/settings/roles": "staff-and-roles",
  "/console/settings/shapers": "libreqos",
  "/console/settings/staff": "staff-and-roles",
  "/console/settings/webhooks": "webhooks",
  "/console/sign-up": "staff-and-roles",
  "/console/start": "first-subscriber",
  "/console/subscribers": "daily-work",
  "/console/subscribers/:id": "extend-and-change",
  "/console/subscribers/:id/money": "take-payments",
  "/console/subscribers/:id/pay": "take-payments",
  "/console/subscribers/:id/refund": "take-payments",
  "/console/subscribers/:id/renew": "renewals",
  "/console/subscribers/:id/top-up": "fair-use",
  "/console/trail": "staff-and-roles",
} as const satisfies Readonly<Record<string, string>>;

const places = Object.entries(chapters).map(([place, slug]) => ({ parts: place.split("/"), slug }));

/** The last address that a path is at or below, which is the longest: they stand in order. */
export function findChapter(path: string): string {
  const steps = path.split("/");
  const { slug = chapters["/console"] } =
    places.findLast(
      ({ parts }) =>
        parts.length <= steps.length &&
        parts.every((part, index) => part === steps[index] || isNumber(part, steps[index])),
    ) ?? {};
  return slug;
}

const isNumber = (part: string, step = "") =>
  part.startsWith(":") && (/^\d+$/.test(step) || step.startsWith(":"));
