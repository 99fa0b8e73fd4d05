import { type AnyElysia, Elysia } from "elysia";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import type { AskLogin } from "../domain/service/access/try-login.ts";
import type { Routers } from "../domain/service/control/routers.ts";
import { LiveFeed } from "../domain/service/live/feed.ts";
import { Arrivals } from "../domain/goods/nas/arrivals.ts";
import type { MovingRuns } from "../domain/machine/imports/runs/runs.ts";
import type { NasTools } from "../domain/goods/router-setup/tools.ts";
import type { NatsTools } from "../domain/machine/access-boxes/nats-tools.ts";
import type { ApplianceProcess } from "../domain/machine/appliance/process.ts";
import type { BackupDesk } from "../domain/machine/backup/desk.ts";
import { recordGuessing } from "../domain/service/cards/guessing.ts";
import type { Finding } from "../domain/machine/check/finding.ts";
import { operator } from "../domain/core/actor/operator.ts";
import type { Subscriber } from "../domain/goods/subscribers/find.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { ACCOUNT_FAILURES_A_MINUTE } from "./account-failures.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import { tellLockedLogin } from "../domain/people/staff/locked-logins.ts";
import { LockedLogins } from "./locked-logins.ts";
import { CardGuesses } from "./card-guesses.ts";
import { BasicCredentials } from "./basic.ts";
import { revalidated } from "./pages/assets.ts";
import { trustedProxies, type TrustedProxies } from "./client-address.ts";
import type { ErrorPages } from "./errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { type Foundation, foundation } from "./foundation.ts";
import { KeyCalls } from "./key-calls.ts";
import type { Served } from "./meter.ts";
import { openapiDocument } from "./openapi.ts";
import { addManaged } from "./operation.ts";
import { CODES_AN_HOUR } from "./console/count-code.ts";
import { consoleErrorPage, isConsole } from "./console/error-page.tsx";
import { LiveStreams } from "./console/live/streams.ts";
import { Answered } from "./console/pages/online/answered.ts";
import { RouterTests } from "./console/pages/routers/tests.ts";
import { SetupRuns } from "./console/pages/routers/setup-runs.ts";
import { Notes } from "./console/notes.ts";
import { Seeing } from "./console/seeing.ts";
import { addConsole } from "./console/routes.ts";
import { errorPage, isPage } from "./portal/error-page.tsx";
import type { PortalNeeds } from "./portal/guard.ts";
import { portalRoutes } from "./portal/routes.ts";
import { answerCaptive } from "./portal/walled.tsx";
import { addAssistants } from "./routes/assistants.ts";
import { applianceRoutes } from "./routes/appliance.ts";
import { docsRoutes } from "./routes/docs.ts";
import { frontRoute } from "./routes/front.ts";
import { managedOperations } from "./routes/managed.ts";
import { mobileLoginRoutes } from "./routes/mobile-login.ts";
import { PAY_CALLS_A_MINUTE, type PayNeeds, payRoutes } from "./routes/pay.ts";
import { addOwn } from "./own.ts";
import { ownReads } from "./routes/me.ts";
import { ownChanges } from "./routes/me-changes.ts";
import { ownPush } from "./routes/me-push.ts";
import { subscriberCardRoutes } from "./routes/subscriber-card.ts";
import { subscriberLoginRoutes, subscriberTokenRoutes } from "./routes/subscriber-session.ts";
import { staffLoginRoutes, staffTokenRoutes } from "./routes/users.ts";
import { targetPath } from "./target.ts";

export interface HttpNeeds {
  db: Db;
  clock: Clock;
  log: Logger;
  staffTokenDays: number;
  subscriberTokenDays: number;
  routers: Routers;
  nasTools: NasTools;
  nats: NatsTools;
  trustedProxies: readonly string[];
  health: () => { radius: boolean };
  /** As `gatehouse check` finds them. */
  findings?: () => readonly Finding[];
  backups: BackupDesk;
  appliance: () => ApplianceProcess;
  metrics?: () => Promise<string>;
  /** Bearer token of /metrics; null: local requests only. */
  metricsToken?: string | null;
  /** Called with an address that was refused for lack of a token. */
  scrapeRefused?: (source: string) => void;
  renewed?: (subscriber: Subscriber) => void;
  /** The portal's URL for a client of the walled garden, where no setting has one; null: none. */
  ownPortal?: (client: string) => Promise<string | null>;
  streams?: LiveStreams;
  askLogin?: AskLogin;
  arrivals?: Arrivals;
  moving: MovingRuns;
  served?: (served: Served) => void;
  keyCalls?: KeyCalls;
  /** Serves the page with all parts, for developers. */
  showParts?: boolean;
  /** Days of Strict-Transport-Security on TLS listeners; 0: no header. */
  hstsDays?: { readonly lan: number; readonly public: number };
}

const LOGINS_A_MINUTE = 5;
/** Wrong passwords of a subscriber an hour, from all addresses. */
const ACCOUNT_FAILURES_AN_HOUR = 100;

const gatehouse = operator("gatehouse", "system");

/** Apps of the listeners, which share counters such as login attempts. */
export interface Apps {
  readonly lan: AnyElysia;
  /** The public listener (GATEHOUSE_PUBLIC_LISTEN): subscribers' paths only. */
  readonly public: AnyElysia;
  /** The walled garden (GATEHOUSE_WALLED_LISTEN): one page for every request. */
  readonly walled: AnyElysia;
}

export function buildApps(needs: HttpNeeds): Apps {
  const { log, db, clock } = needs;
  const trusted = trustedProxies(needs.trustedProxies);
  const pages: ErrorPages = {
    isPage,
    respond: (request, failure) => errorPage({ db, clock }, request, failure),
  };
  const { renewed = () => {}, ownPortal = async () => null } = needs;
  const guesses = new CardGuesses(log, (guessing) =>
    recordGuessing(db, gatehouse, guessing, { now: clock() }),
  );
  const locked = new LockedLogins(log, (login) => tellLockedLogin(db, gatehouse, login, { now: clock() }));
  const subscribersOwn = {
    ...needs,
    trusted,
    renewed,
    guesses,
    payCalls: new AttemptLimit(PAY_CALLS_A_MINUTE, { what: phrase`calls` }),
    subscriberLogins: new AttemptLimit(LOGINS_A_MINUTE, { refused: locked.named("subscriber") }),
    accountFailures: new AttemptLimit(ACCOUNT_FAILURES_AN_HOUR, {
      window: 3_600_000,
      refused: locked.named("subscriber"),
    }),
  };
  const { served = () => {}, keyCalls = new KeyCalls(() => {}), hstsDays = { lan: 0, public: 0 } } = needs;
  const lanPages: ErrorPages = {
    isPage: (path) => isConsole(path) || isPage(path),
    respond: (request, failure) =>
      isConsole(targetPath(request))
        ? consoleErrorPage(console, request, failure)
        : errorPage({ db, clock }, request, failure),
  };
  const servedOnLan = (one: Served, request: Request) => {
    served(one);
    keyCalls.end(request, one);
  };
  const lan = foundation({ log, pages: lanPages, served: servedOnLan, hstsDays: hstsDays.lan, db });
  const accountFailures = new AttemptLimit(ACCOUNT_FAILURES_A_MINUTE, { refused: locked.holders });
  const staffLogins = new AttemptLimit(LOGINS_A_MINUTE, { refused: locked.named("staff") });
  const codeFailures = new AttemptLimit(CODES_AN_HOUR, { window: 3_600_000, refused: locked.holders });
  const credentials = new BasicCredentials(db, clock, accountFailures);
  let described: AnyElysia["routes"] = [];
  let written: ReturnType<typeof revalidated> | undefined;
  const documented = () => openapiDocument(described);
  // made by the first who asks: many start it and few do
  const document = () =>
    (written ??= revalidated(JSON.stringify(documented()), "application/json;charset=utf-8"));
  addDescribed(lan, {
    management: {
      ...needs,
      renewed,
      trusted,
      credentials,
      accountFailures,
      staffLogins,
      guesses,
      keyCalls,
      arrivals: needs.arrivals ?? new Arrivals(),
    },
    subscribersOwn,
    appliance: { ...needs, trusted, credentials, document },
    docs: { ...needs, trusted, document: documented },
  });
  described = [...lan.routes];
  const { findings = () => [], showParts = false } = needs;
  const { arrivals = new Arrivals(), askLogin = async () => undefined } = needs;
  const { streams = new LiveStreams(new LiveFeed(db)) } = needs;
  const console = {
    ...needs,
    trusted,
    findings,
    credentials,
    keyCalls,
    staffLogins,
    accountFailures,
    codeFailures,
    passwordTests: new AttemptLimit(LOGINS_A_MINUTE, { what: phrase`tests of a password` }),
    notes: new Notes(),
    seeing: new Seeing(),
    answered: new Answered(),
    streams,
    arrivals,
    askLogin,
    renewed,
    routerTests: new RouterTests(),
    setupRuns: new SetupRuns(),
    guesses,
  };
  addConsole(lan, console, { showParts });
  let open: AnyElysia | undefined;
  let walled: AnyElysia | undefined;
  return {
    lan,
    // made on first use
    get public() {
      if (open) return open;
      open = foundation({ log, pages, served, hstsDays: hstsDays.public, db });
      addSubscribersOwn(open, subscribersOwn);
      return open.use(frontRoute("/portal"));
    },
    get walled() {
      const own = { db, clock, trusted, guesses, renewed, ownPortal };
      return (walled ??= walledGarden({ log, pages, served, hstsDays: 0 }, own));
    },
  };
}

/** Needs of the documented routes. */
interface DescribedNeeds {
  readonly management: Parameters<typeof addManagement>[1];
  readonly subscribersOwn: Parameters<typeof addSubscribersOwn>[1];
  readonly appliance: Parameters<typeof applianceRoutes>[0];
  readonly docs: Parameters<typeof docsRoutes>[0];
}

/** What the document describes: all that the listener of the LAN serves, but the console. */
function addDescribed(app: AnyElysia, { management, subscribersOwn, appliance, docs }: DescribedNeeds): void {
  addManagement(app, management);
  addSubscribersOwn(app, subscribersOwn);
  app.use(applianceRoutes(appliance)).use(docsRoutes(docs)).use(frontRoute("/console"));
}

/** The OpenAPI document, from routes made without a store. */
export function documentRoutes(): ReturnType<typeof openapiDocument> {
  const app: AnyElysia = new Elysia();
  addDescribed(app, { management: {}, subscribersOwn: {}, appliance: {}, docs: {} } as DescribedNeeds);
  return openapiDocument(app.routes);
}

function addManagement(
  app: AnyElysia,
  {
    db,
    clock,
    trusted,
    staffTokenDays,
    routers,
    nasTools,
    arrivals,
    credentials,
    accountFailures,
    staffLogins,
    guesses,
    keyCalls,
    renewed,
    log,
  }: Resolved & {
    arrivals: Arrivals;
    credentials: BasicCredentials;
    accountFailures: AttemptLimit;
    staffLogins: AttemptLimit;
    guesses: CardGuesses;
    keyCalls: KeyCalls;
    renewed: (subscriber: Subscriber) => void;
  },
): void {
  const users = { db, clock, trusted, staffTokenDays, staffLogins, accountFailures };
  const management = {
    db,
    clock,
    routers,
    nasTools,
    arrivals,
    credentials,
    trusted,
    guesses,
    keyCalls,
    renewed,
  };
  addManaged(app, management, managedOperations);
  addAssistants(app, { ...management, log });
  // last, because the bearer plugin would run for later routes too
  app.use(staffLoginRoutes(users)).use(staffTokenRoutes(users));
}

/** Routes of subscribers, and of payment providers. */
function addSubscribersOwn(
  app: AnyElysia,
  needs: Resolved &
    Pick<PortalNeeds, "accountFailures" | "subscriberLogins" | "renewed" | "guesses"> &
    PayNeeds,
): void {
  addOwn(app, needs, [...ownReads, ...ownChanges, ...ownPush]);
  app
    .use(subscriberLoginRoutes(needs))
    .use(subscriberTokenRoutes(needs))
    .use(subscriberCardRoutes(needs))
    .use(mobileLoginRoutes(needs))
    .use(payRoutes(needs))
    .use(portalRoutes(needs));
}

type Resolved = Omit<HttpNeeds, "trustedProxies"> & { trusted: TrustedProxies };

/** Answers before routing, so that every host, path and method works; failures are pages too. */
function walledGarden(base: Foundation, needs: Parameters<typeof answerCaptive>[0]): AnyElysia {
  return foundation({ ...base, pages: { ...base.pages, isPage: () => true } }).onRequest(
    async ({ request, server }) => answerCaptive(needs, { request, server }),
  );
}
