import { Elysia } from "elysia";
import { portalSubscriber } from "../../domain/goods/subscribers/portal-session.ts";
import { isSecure } from "../client-address.ts";
import { type Installed, serveWorker } from "../pages/installed.ts";
import { pageResponse } from "../pages/respond.tsx";
import { scriptAsset, styleAsset } from "./assets.ts";
import { describePage, describePortalFile } from "./describe-page.ts";
import type { PortalNeeds } from "./guard.ts";
import { WORKER } from "./layout.tsx";
import { OfflinePage } from "./pages/offline.tsx";
import { sessionCookie } from "./session-cookie.ts";
import { viewFor } from "./view.ts";

const OFFLINE = "/portal/offline";
/** What browsers drop after signing out: caches, the worker, its notifications. */
export const NOTHING_KEPT = { "clear-site-data": '"cache", "storage"' };

const portal: Installed = {
  name: "portal",
  scope: "/portal",
  home: "/portal",
  offline: OFFLINE,
  assets: "^/portal/(?:assets|brand)/",
  signOut: ["/portal/sign-out", "/portal/sign-out-everywhere"],
};

/** What makes an app of the portal on a phone. */
export function appRoutes({ db, clock, trusted }: PortalNeeds) {
  const worker = serveWorker(portal, [styleAsset.path, scriptAsset.path]);
  return new Elysia()
    .get(
      WORKER,
      ({ request }) => worker(request),
      describePortalFile("portalWorker", "The worker that keeps what the portal showed last", []),
    )
    .get(
      OFFLINE,
      ({ request, server }) => {
        const now = clock();
        const id = sessionCookie.read(request, isSecure(request, server, trusted));
        const ispId = id === "" ? undefined : portalSubscriber(db, id, now)?.ispId;
        const view = viewFor(db, { request, now, ...(ispId !== undefined && { ispId }) });
        return pageResponse(<OfflinePage view={view} />);
      },
      describePage("portalOffline", "What a phone shows while nothing answers", { access: "everybody" }),
    );
}
