import type { AnyElysia } from "elysia";
import { HttpRefusal } from "../errors.ts";
import { seeOther } from "../pages/respond.tsx";
import { assetResponse } from "../pages/assets.ts";
import { addConsoleApp } from "./app.tsx";
import { consoleAssets } from "./assets.ts";
import { type ConsoleNeeds, type ConsoleRoute, staffPage } from "./guard.ts";
import { liveRoutes } from "./live/routes.ts";
import { helpRoutes } from "./pages/help/routes.tsx";
import { frameRoutes } from "./pages/frame/routes.tsx";
import { loginsRoutes } from "./pages/logins/routes.tsx";
import { onlineRoutes } from "./pages/online/routes.tsx";
import { moneyRoutes } from "./pages/money/routes.tsx";
import { meRoutes } from "./pages/me/routes.tsx";
import { outageRoutes } from "./pages/outages/routes.tsx";
import { partsRoutes } from "./pages/parts/routes.tsx";
import { searchRoutes } from "./pages/search/routes.tsx";
import { packageRoutes } from "./pages/packages/routes.tsx";
import { payRoutes } from "./pages/pay/routes.tsx";
import { startRoutes } from "./pages/start/routes.tsx";
import { signInRoutes } from "./pages/sign-in/routes.tsx";
import { signUpRoutes } from "./pages/sign-up/routes.tsx";
import { subscribersRoutes } from "./pages/subscribers/routes.tsx";
import { poolRoutes } from "./pages/pools/routes.tsx";
import { routersPageRoutes } from "./pages/routers/routes.tsx";
import { cardsPageRoutes } from "./pages/cards/routes.tsx";
import { reportsPageRoutes } from "./pages/reports/routes.tsx";
import { auditLogRoutes } from "./pages/audit-log/routes.tsx";
import { teamPageRoutes } from "./pages/team/routes.tsx";
import { languagesPageRoutes } from "./pages/languages/routes.ts";
import { settingsPageRoutes } from "./pages/settings/routes.tsx";
import { messageRuleRoutes } from "./pages/message-rules/routes.tsx";
import { messageTextRoutes } from "./pages/message-texts/routes.tsx";
import { messageChannelRoutes } from "./pages/message-channels/routes.tsx";
import { askedRoutes } from "./pages/asked/routes.tsx";
import { keyPageRoutes } from "./pages/api-keys/routes.tsx";
import { shaperPageRoutes } from "./pages/shapers/routes.tsx";
import { webhooksPageRoutes } from "./pages/webhooks/routes.tsx";
import { outboxPageRoutes } from "./pages/messages/outbox-routes.ts";
import { arrivedPageRoutes } from "./pages/arrived/routes.tsx";
import { paymentSourcePageRoutes } from "./pages/payment-sources/routes.tsx";
import { accessBoxPageRoutes } from "./pages/access-boxes/routes.tsx";
import { backupsPageRoutes } from "./pages/backups/routes.tsx";
import { importPageRoutes } from "./pages/import/routes.tsx";
import { todayRoutes } from "./pages/today/routes.tsx";
import { subscriberRoutes } from "./pages/subscriber/routes.tsx";

export const consoleRoutes: readonly ConsoleRoute[] = [
  ...signInRoutes,
  ...frameRoutes,
  ...helpRoutes,
  ...meRoutes,
  ...startRoutes,
  ...todayRoutes,
  ...outageRoutes,
  ...liveRoutes,
  ...onlineRoutes,
  ...loginsRoutes,
  ...subscriberRoutes,
  ...searchRoutes,
  ...subscribersRoutes,
  ...signUpRoutes,
  ...payRoutes,
  ...moneyRoutes,
  ...arrivedPageRoutes,
  ...outboxPageRoutes,
  ...packageRoutes,
  ...cardsPageRoutes,
  ...poolRoutes,
  ...routersPageRoutes,
  ...reportsPageRoutes,
  ...auditLogRoutes,
  ...teamPageRoutes,
  ...settingsPageRoutes,
  ...languagesPageRoutes,
  ...askedRoutes,
  ...keyPageRoutes,
  ...shaperPageRoutes,
  ...webhooksPageRoutes,
  ...messageChannelRoutes,
  ...messageTextRoutes,
  ...messageRuleRoutes,
  ...paymentSourcePageRoutes,
  ...accessBoxPageRoutes,
  ...backupsPageRoutes,
  ...importPageRoutes,
];

const pages: ReadonlySet<string> = new Set(
  consoleRoutes.flatMap(({ method, path }) => (method === "GET" ? [path] : [])),
);

/** A form's address that is no page redirects to the nearest page above, for reloads and bookmarks of an answer. */
const pagesAbove: readonly ConsoleRoute[] = consoleRoutes
  .filter(({ method, path }) => method === "POST" && !pages.has(path))
  .map(({ path }) => {
    const above = pageAbove(path);
    const steps = above.split("/").length;
    return staffPage(path, (visit) => seeOther(visit.path.split("/").slice(0, steps).join("/")));
  });

function pageAbove(path: string): string {
  const above = path.slice(0, path.lastIndexOf("/"));
  return pages.has(above) || above === "" ? above : pageAbove(above);
}

const hook = { parse: "none", detail: { hide: true } } as const;

/** The console, for the LAN listener alone; `showParts` adds a page of all parts for developers. */
export function addConsole(app: AnyElysia, needs: ConsoleNeeds, { showParts }: { showParts: boolean }): void {
  for (const { method, path, handle } of [...consoleRoutes, ...pagesAbove, ...(showParts ? partsRoutes : [])])
    app.route(
      method,
      path,
      ({ request, server, params }) => handle(needs, { request, server, params: { ...params } }),
      hook,
    );
  addConsoleApp(app, needs);
  app.get(
    "/console/assets/:file",
    ({ request, params: { file } }) => {
      const found = assetResponse(consoleAssets, `/console/assets/${file}`, request);
      if (!found) throw new HttpRefusal(404, "there is no such file");
      return found;
    },
    hook,
  );
}
