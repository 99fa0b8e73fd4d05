import { Elysia } from "elysia";
import { appRoutes } from "./app-routes.tsx";
import { assetRoutes } from "./asset-routes.ts";
import { cardRoutes } from "./card-routes.tsx";
import { signInRoutes } from "./sign-in-routes.tsx";
import type { PortalNeeds } from "./guard.ts";
import { pageRoutes } from "./page-routes.tsx";
import { renewRoutes } from "./renew-routes.tsx";
import { topUpRoutes } from "./top-up-routes.tsx";
import { settingsRoutes } from "./settings-routes.tsx";

export function portalRoutes(needs: PortalNeeds) {
  return new Elysia()
    .use(signInRoutes(needs))
    .use(pageRoutes(needs))
    .use(renewRoutes(needs))
    .use(topUpRoutes(needs))
    .use(cardRoutes(needs))
    .use(settingsRoutes(needs))
    .use(assetRoutes(needs))
    .use(appRoutes(needs));
}
