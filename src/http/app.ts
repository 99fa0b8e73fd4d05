import { type AnyElysia, Elysia } from "elysia";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import type { Routers } from "../domain/activation/disconnect.ts";
import type { Finding } from "../domain/check/finding.ts";
import type { Clock } from "../domain/time.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import { BasicCredentials } from "./basic.ts";
import { trustedProxies, type TrustedProxies } from "./client-address.ts";
import { BusyJournal, type ErrorPages, errorResponse, HttpRefusal } from "./errors.ts";
import { basicGuard } from "./guards.ts";
import { Meter, type Served } from "./meter.ts";
import { openapiDocument } from "./openapi.ts";
import { adapter } from "./adapter.ts";
import { errorPage, isPage } from "./portal/error-page.tsx";
import { portalRoutes } from "./portal/routes.ts";
import { answerCaptive } from "./portal/walled.tsx";
import { activationRoutes } from "./routes/activation.ts";
import { applianceRoutes } from "./routes/appliance.ts";
import { docsRoutes } from "./routes/docs.ts";
import { mobileLoginRoutes } from "./routes/mobile-login.ts";
import { roleRoutes } from "./routes/roles.ts";
import { subscriberCareRoutes } from "./routes/subscriber-care.ts";
import { subscriberLoginRoutes, subscriberTokenRoutes } from "./routes/subscriber-session.ts";
import { subscriberRoutes } from "./routes/subscribers.ts";
import { staffLoginRoutes, staffTokenRoutes } from "./routes/users.ts";

export interface HttpNeeds {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Days that a token lives. */
  staffTokenDays: number;
  subscriberTokenDays: number;
  /** Asks the routers to end or change a session, and who is online. */
  routers: Routers;
  /** CIDRs whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  health: () => { radius: boolean };
  /** What is right and wrong with the appliance, as `gatehouse check` says it. */
  findings?: () => readonly Finding[];
  /** The text of /metrics. */
  metrics?: () => Promise<string>;
  /** Hears of every request that was answered. */
  served?: (served: Served) => void;
  /** Days that the browsers of a listener that speaks TLS are told to come by TLS only; 0 does not tell them. */
  hstsDays?: { readonly lan: number; readonly public: number };
}

const LOGINS_A_MINUTE = 5;

/** The apps of the two listeners; what they count, such as the logins of subscribers, they count together. */
export interface Apps {
  /** Everything. */
  readonly lan: AnyElysia;
  /** What the port forwarding reaches (GATEHOUSE_PUBLIC_LISTEN): the subscriber's own paths; every other one is unknown here. */
  readonly public: AnyElysia;
  /** What the router sends subscribers without access to (GATEHOUSE_WALLED_LISTEN): one page, whatever they asked for. */
  readonly walled: AnyElysia;
}

export function buildApps(needs: HttpNeeds): Apps {
  const { log, db, clock } = needs;
  const trusted = trustedProxies(needs.trustedProxies);
  const pages: ErrorPages = {
    isPage,
    respond: (request, failure) => errorPage({ db, clock }, request, failure),
  };
  const subscribersOwn = { ...needs, trusted, subscriberLogins: new AttemptLimit(LOGINS_A_MINUTE) };
  const { served = () => {}, hstsDays = { lan: 0, public: 0 } } = needs;
  const lan = foundation({ log, pages, served, hstsDays: hstsDays.lan });
  addManagement(lan, { ...needs, trusted });
  addSubscribersOwn(lan, subscribersOwn);
  lan.use(applianceRoutes({ ...needs, document: () => document })).use(docsRoutes());
  const document = openapiDocument(lan.routes);
  const open = foundation({ log, pages, served, hstsDays: hstsDays.public });
  addSubscribersOwn(open, subscribersOwn);
  const walled = walledGarden({ log, pages, served, hstsDays: 0 }, { db, clock, trusted });
  return { lan: refuseOtherMethods(lan), public: refuseOtherMethods(open), walled };
}

/** What staff and their programs call (interface.md A, C, D, E). */
function addManagement(app: AnyElysia, { db, clock, trusted, staffTokenDays, routers }: Resolved): void {
  const users = { db, clock, trusted, staffTokenDays, staffLogins: new AttemptLimit(LOGINS_A_MINUTE) };
  const guard = basicGuard(new BasicCredentials(db, clock), trusted);
  const management = { db, clock, guard };
  app
    .use(staffLoginRoutes(users))
    .use(staffTokenRoutes(users))
    .use(roleRoutes(management))
    .use(activationRoutes({ ...management, routers }))
    .use(subscriberRoutes(management))
    .use(subscriberCareRoutes({ ...management, routers }));
}

/** What subscribers call (interface.md B), and their pages. */
function addSubscribersOwn(app: AnyElysia, needs: Resolved & { subscriberLogins: AttemptLimit }): void {
  app
    .use(subscriberLoginRoutes(needs))
    .use(subscriberTokenRoutes(needs))
    .use(mobileLoginRoutes(needs))
    .use(portalRoutes(needs));
}

type Resolved = Omit<HttpNeeds, "trustedProxies"> & { trusted: TrustedProxies };

interface Foundation {
  log: Logger;
  pages: ErrorPages;
  served: (served: Served) => void;
  hstsDays: number;
}

/** One way of finding a route for every listener: not the router of Bun.serve, whose ALL routes bypass hooks. */
function foundation({ log, pages, served, hstsDays }: Foundation) {
  const meter = new Meter(served);
  const busy = new BusyJournal();
  return new Elysia({ adapter, systemRouter: false, strictPath: true })
    .headers({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(hstsDays > 0 && { "strict-transport-security": `max-age=${hstsDays * 86_400}` }),
    })
    .onRequest(({ request }) => meter.begin(request))
    .onError({ as: "global" }, ({ error, code, request }) =>
      meter.failed(request, errorResponse(error, code, request, { log, pages, busy })),
    )
    .onAfterResponse({ as: "global" }, ({ request, route, responseValue, set }) =>
      meter.end(request, route, responseValue, set.status),
    );
}

/** Answers before any route is looked for, so that no host, path or method is unknown; failures are pages too. */
function walledGarden(base: Foundation, needs: Parameters<typeof answerCaptive>[0]): AnyElysia {
  return foundation({ ...base, pages: { ...base.pages, isPage: () => true } }).onRequest(
    ({ request, server }) => answerCaptive(needs, { request, server }),
  );
}

/** 405 with Allow for a known path, where Elysia would say 404. */
function refuseOtherMethods(app: AnyElysia): AnyElysia {
  for (const [path, routes] of Map.groupBy(app.routes, (route) => route.path)) {
    const methods = routes.map(({ method }) => method);
    const allow = (methods.includes("GET") ? [...methods, "HEAD"] : methods).sort().join(", ");
    const refuse = (): never => {
      throw new HttpRefusal(405, `the method is not one of ${allow}`, { headers: { allow } });
    };
    app.all(path, refuse, { parse: "none" });
  }
  return app;
}
