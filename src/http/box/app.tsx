import type { AnyElysia } from "elysia";
import type { Logger } from "pino";
import type { Db } from "../../../db/open.ts";
import { ownFaults, type OwnStanding, ownWords } from "../../domain/machine/access-boxes/own-standing.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { trustedProxies } from "../client-address.ts";
import { foundation } from "../foundation.ts";
import type { Served } from "../meter.ts";
import { assetResponse } from "../pages/assets.ts";
import { pageResponse } from "../pages/respond.tsx";
import { metricsRoute } from "../routes/appliance.ts";
import { targetPath } from "../target.ts";
import { boxAssets, BoxPage } from "./page.tsx";

export interface BoxAppNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly standing: () => OwnStanding;
  readonly isListening: () => boolean;
  readonly metrics: () => Promise<string>;
  readonly metricsToken: string | null;
  readonly trustedProxies: readonly string[];
  readonly served: (served: Served) => void;
}

/** Health, state and metrics of an access box; no API, no staff pages. */
export function buildBoxApp(needs: BoxAppNeeds): AnyElysia {
  const { clock, log, standing, isListening, metrics, metricsToken, served } = needs;
  const pages = { isPage: () => false, respond: () => new Response(null, { status: 500 }) };
  const app = foundation({ log, pages, served, hstsDays: 0 });
  app
    .get("/healthz", ({ status }) => {
      const radius = isListening();
      const own = standing();
      const faults = ownFaults(own).map(({ subject, message }) => `${subject}: ${message}`);
      const page = { box: own.name, state: ownWords(own, clock()), faults };
      // a cut-off box still serves: unloading it would take its tower offline; one never connected knows nobody
      return radius && own.knownOf !== null
        ? { status: "ok", ...page }
        : status(503, { status: "failing", radius, ...page });
    })
    .get("/", () =>
      pageResponse(<BoxPage own={standing()} isListening={isListening()} now={clock()} />, {
        headers: { "x-robots-tag": "noindex" },
      }),
    )
    .use(metricsRoute({ metrics, metricsToken, trusted: trustedProxies(needs.trustedProxies) }));
  for (const { path } of boxAssets)
    app.get(
      path,
      ({ request }) =>
        assetResponse(boxAssets, targetPath(request), request) ?? new Response(null, { status: 404 }),
    );
  return app;
}
