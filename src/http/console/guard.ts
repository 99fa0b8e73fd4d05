import { ungroupedAmounts } from "../pages/ungrouped.ts";
import { type Db, forReading } from "../../../db/open.ts";
import { untilUnlocked } from "../../../db/turns.ts";
import type { NatsTools } from "../../domain/machine/access-boxes/nats-tools.ts";
import { MoneyWait } from "../../domain/machine/access-boxes/money-waits.ts";
import type { ApplianceProcess } from "../../domain/machine/appliance/process.ts";
import type { BackupDesk } from "../../domain/machine/backup/desk.ts";
import type { Finding } from "../../domain/machine/check/finding.ts";
import type { AskLogin } from "../../domain/service/access/try-login.ts";
import type { Routers } from "../../domain/service/control/routers.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import type { RateHistory } from "../../domain/service/live/rate-history.ts";
import type { Arrivals } from "../../domain/goods/nas/arrivals.ts";
import type { MovingRuns } from "../../domain/machine/imports/runs/runs.ts";
import type { NasTools } from "../../domain/goods/router-setup/tools.ts";
import type { StaffRow } from "../../domain/people/staff/accounts.ts";
import { type Actor, isAdminOfAll } from "../../domain/core/actor/actor.ts";
import {
  type ConsoleNeeds as ConsoleNeedsFactor,
  type ConsoleSession,
  consoleSession,
} from "../../domain/people/staff/console-sessions.ts";
import { ownPreference } from "../../domain/people/staff/preferences.ts";
import type { SeenAs } from "../../domain/people/staff/see-as.ts";
import type { Clock, Seconds } from "../../domain/core/time/time.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import { readInput, readInputInTime } from "../body.ts";
import type { CardGuesses } from "../card-guesses.ts";
import { clientAddress, isSecure, type Server, type TrustedProxies } from "../client-address.ts";
import { refuseOtherSites } from "../cross-site.ts";
import { formToken, isFormToken } from "../pages/cookies.ts";
import { seeOther } from "../pages/respond.tsx";
import { pathOf, queryOf } from "../target.ts";
import { sessionsByRouter } from "../../domain/money/sums/sampled.ts";
import { rememberIsp } from "./isp-field.tsx";
import { keptOf } from "./kept.ts";
import { signInPage } from "./pages/sign-in/show.tsx";
import { consoleCookie } from "./session-cookie.ts";
import type { LiveStreams } from "./live/streams.ts";
import type { Answered } from "./pages/online/answered.ts";
import type { SetupRuns } from "./pages/routers/setup-runs.ts";
import type { RouterTests } from "./pages/routers/tests.ts";
import type { Notes } from "./notes.ts";
import { type Seeing, SEEING_END } from "./seeing.ts";
import { type ConsoleView, consoleViewFor } from "./view.ts";

export interface ConsoleNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly trusted: TrustedProxies;
  readonly routers: Routers;
  readonly nasTools: NasTools;
  /** What only the library of NATS can do. */
  readonly nats: NatsTools;
  /** What is right and wrong with the appliance, as `gatehouse check` says it. */
  readonly findings: () => readonly Finding[];
  /** Makes and tries backups beside all else. */
  readonly backups: BackupDesk;
  readonly appliance: () => ApplianceProcess;
  /** Failures to sign in, counted together with those of the API. */
  readonly staffLogins: AttemptLimit;
  readonly accountFailures: AttemptLimit;
  /** Wrong codes of second factors, wherever they come from. */
  readonly codeFailures: AttemptLimit;
  readonly notes: Notes;
  /** Sessions that look at the console with somebody else's eyes. */
  readonly seeing: Seeing;
  readonly streams: LiveStreams;
  readonly answered: Answered;
  readonly rates: RateHistory;
  /** Counts passwords that staff try for lines, by who tries. */
  readonly passwordTests: AttemptLimit;
  readonly askLogin: AskLogin;
  readonly routerTests: RouterTests;
  readonly setupRuns: SetupRuns;
  /** Counts wrong codes of cards, together with those of portal and API. */
  readonly guesses: CardGuesses;
  readonly arrivals: Arrivals;
  readonly moving: MovingRuns;
}

/** A request of a member of staff who is signed in; what a page shows follows from this alone. */
export interface StaffVisit {
  readonly needs: ConsoleNeeds;
  readonly db: Db;
  readonly request: Request;
  /** The account, with the scope and the flags that it has at this moment. */
  readonly by: Actor;
  readonly account: StaffRow;
  /** Which session this is. */
  readonly sessionKey: string;
  /** Who looks, where that is not whose page it is; nothing can be changed then. */
  readonly seeing: SeeingVisit | undefined;
  /** What it lacks to be signed in; only the pages that mend it are shown while it lacks something. */
  readonly lacks: ConsoleNeedsFactor;
  readonly formToken: string;
  readonly view: ConsoleView;
  readonly now: Seconds;
  /** Open sessions of each router that it sees; this and the two below are read once, by the first of a page that asks. */
  readonly openSessions: () => ReadonlyMap<number, number>;
  readonly isAdminOfAll: () => boolean;
  /** Whether keys do something without being told to. */
  readonly hasKeys: () => boolean;
  readonly source: string;
  readonly secure: boolean;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  /** Whether a script asks for a part of a page, which stands alone then. */
  readonly isPart: boolean;
}

export interface FormVisit extends StaffVisit {
  /** Whether the other machine has the money that this moves. */
  readonly money: MoneyWait;
}

/** That `by` and `account` of a visit are somebody else's. */
interface SeeingVisit {
  readonly target: SeenAs;
  readonly name: string;
  readonly viewer: StaffRow;
  /** For what ends it, which is written. */
  readonly db: Db;
  /** For the forms that end it; those of the pages that are seen have one that is worth nothing. */
  readonly formToken: string;
}

export interface ConsoleRequest {
  readonly request: Request;
  readonly server: Server | null;
  readonly params: Readonly<Record<string, string>>;
}

type Answer = Response | Promise<Response>;

export interface ConsoleRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handle: (needs: ConsoleNeeds, incoming: ConsoleRequest) => Answer;
}

/** Where a page listens to what happens. */
export const LIVE_PATH = "/console/live";
/** What somebody who is not signed in, or not wholly, gets: the way there. */
export const SIGN_IN = "/console/sign-in";
const CODE = "/console/sign-in/code";
const ENROLMENT = "/console/me/second-factor";
/** What is open to a session that lacks something; the first is where it is led. */
const STEPS: Readonly<Record<Exclude<ConsoleNeedsFactor, "nothing">, readonly [string, ...string[]]>> = {
  code: [CODE, "/console/sign-in/again/code", "/console/sign-out"],
  enrolment: [ENROLMENT, "/console/sign-out"],
};

/** All that can be sent while somebody looks with another's eyes. */
const openWhileSeeing: ReadonlySet<string> = new Set([SEEING_END, "/console/sign-out"]);
/** What is a person's own, and nobody else's to look at. */
const ownPages = /^\/console\/(?:me|start|sign-in)(?:\/|$)/;

/** A page for those who are signed in; others go to the sign-in page, and come back from there. */
export function staffPage(path: string, handle: (visit: StaffVisit) => Answer): ConsoleRoute {
  return {
    method: "GET",
    path,
    handle: (needs, incoming) => {
      const visit = visitOf(needs, incoming);
      if (visit instanceof Response) return visit;
      if (visit.seeing && ownPages.test(visit.path))
        throw new DomainError("forbidden", visit.view.words.team.seeing.own);
      return handle(visit);
    },
  };
}

/** A form of those who are signed in. Throws `forbidden` for one that is not from a page of this very session. */
export function staffForm(path: string, handle: (visit: FormVisit, input: Input) => Answer): ConsoleRoute {
  return {
    method: "POST",
    path,
    handle: async (needs, incoming) => {
      refuseOtherSites(incoming.request, incoming.server, needs.trusted);
      const before = visitOf(needs, incoming);
      if (before instanceof Response) return (await keepInput(needs, incoming)) ?? before;
      refuseWhileSeeing(before);
      const { input: body, isLate } = await readInputInTime(incoming.request);
      const input = ungroupedAmounts(body);
      const current = isLate ? visitOf(needs, incoming) : before;
      if (current instanceof Response) return current;
      refuseWhileSeeing(current);
      const visit = { ...current, money: new MoneyWait(needs.db) };
      if (
        !isFormToken(needs.db.vault, consoleCookie.read(incoming.request, visit.secure), input["form_token"])
      )
        throw new DomainError("forbidden", visit.view.words.errors.stale);
      const seen = visit.seeing ? { ...visit, db: visit.seeing.db } : visit;
      // by itself: what was written before it could not be tried again with it
      if (!visit.seeing) await untilUnlocked(visit.db, () => rememberIsp(visit, input));
      const answer = await untilUnlocked(seen.db, () => handle(seen, input));
      await moneyWords(visit);
      return answer;
    },
  };
}

/** Whether a form token is that of the session that asks. */
export type TokenCheck = (token: unknown) => boolean;

/**
 * A form with files, which `handle` reads by itself, because they are no matter of memory: its token has to come before the first
 * of them.
 */
export function staffUpload(
  path: string,
  handle: (visit: FormVisit, isToken: TokenCheck) => Answer,
): ConsoleRoute {
  return {
    method: "POST",
    path,
    handle: async (needs, incoming) => {
      refuseOtherSites(incoming.request, incoming.server, needs.trusted);
      const current = visitOf(needs, incoming);
      if (current instanceof Response) return current;
      refuseWhileSeeing(current);
      const visit = { ...current, money: new MoneyWait(needs.db) };
      const session = consoleCookie.read(incoming.request, visit.secure);
      const answer = await handle(visit, (token) => isFormToken(needs.db.vault, session, token));
      await moneyWords(visit);
      return answer;
    },
  };
}

/**
 * What was typed into a form whose session has ended goes with who sent it through the sign-in, and can be sent again after it: where
 * the form is from a page of that session. Undefined for a script, which keeps its page.
 */
async function keepInput(needs: ConsoleNeeds, incoming: ConsoleRequest): Promise<Response | undefined> {
  const { request, server } = incoming;
  if (isScript(request)) return undefined;
  const { db, trusted, clock } = needs;
  const id = consoleCookie.read(request, isSecure(request, server, trusted));
  if (id !== "" && consoleSession(db, id, { now: clock(), source: "", quiet: true })) return undefined;
  const input = await readInput(request);
  if (!isFormToken(db.vault, id, input["form_token"])) return undefined;
  const kept = keptOf(pathOf(request), input);
  return kept && signInPage(needs, incoming, { kept, status: 401 });
}

/** Waits for money that was moved, and says on the next page that it is only here, where no page of its own has said so. */
async function moneyWords({ money, needs, sessionKey, view }: FormVisit): Promise<void> {
  if (money.isSaid || (await money.words()) === undefined) return;
  const { onlyHere: title, onlyHereMeans: text } = view.words.pay;
  needs.notes.add(sessionKey, { kind: "wait", title, text });
}

/** Throws `forbidden` for what would change something with somebody else's hands. */
function refuseWhileSeeing({ seeing, view, path }: StaffVisit): void {
  if (!seeing || openWhileSeeing.has(path)) return;
  throw new DomainError("forbidden", view.words.team.seeing.refused(view.format.name(seeing.name)));
}

function isScript({ headers }: Request): boolean {
  return headers.has("hx-request");
}

/** Of a page that could not be shown, whose it is; undefined where nobody is signed in, or not wholly. */
export function visitOfFailed(needs: ConsoleNeeds, request: Request): StaffVisit | undefined {
  const secure = consoleCookie.read(request, true) !== "";
  const id = consoleCookie.read(request, secure);
  const { db, clock } = needs;
  const source = "";
  const session = id === "" ? undefined : consoleSession(db, id, { now: clock(), source, quiet: true });
  if (session?.needs !== "nothing") return undefined;
  return visitIn(needs, { request, session, id, secure, source, params: {} });
}

/** Who is signed in at this moment; the way to the sign-in page where nobody is. */
function visitOf(needs: ConsoleNeeds, { request, server, params }: ConsoleRequest): StaffVisit | Response {
  const { db, clock, trusted } = needs;
  const secure = isSecure(request, server, trusted);
  const source = clientAddress(request, server, trusted);
  const id = consoleCookie.read(request, secure);
  const quiet = isByItself(request);
  const session = id === "" ? undefined : consoleSession(db, id, { now: clock(), source, quiet });
  const path = pathOf(request);
  const isPart = request.headers.get("hx-request-type") === "partial";
  if (!session) return signInFirst(request, isPart);
  if (session.needs !== "nothing" && !STEPS[session.needs].includes(path))
    return isScript(request)
      ? signInFirst(request, isPart)
      : seeOther(STEPS[session.needs][0] + thenOf(request));
  return visitIn(needs, { request, session, id, secure, source, params });
}

interface InSession extends Pick<StaffVisit, "request" | "secure" | "source" | "params"> {
  readonly session: ConsoleSession;
  /** Of the cookie. */
  readonly id: string;
}

/** The visit of a session, with the eyes with which it looks. */
function visitIn(needs: ConsoleNeeds, { request, session, id, secure, source, params }: InSession) {
  const { db, clock } = needs;
  const { by, account, key } = session;
  const now = clock();
  const path = pathOf(request);
  const isPart = request.headers.get("hx-request-type") === "partial";
  const own: StaffVisit = {
    needs,
    db,
    request,
    by,
    account,
    now,
    source,
    secure,
    path,
    params,
    isPart,
    sessionKey: key,
    seeing: undefined,
    lacks: session.needs,
    formToken: formToken(db.vault, id),
    view: consoleViewFor(db, { request, now, ispId: account.ispId }),
    query: new URLSearchParams(queryOf(request)),
    ...readOnce(db, by, now),
  };
  return throughEyes(own, id);
}

/** The visit as it is for whom it is seen as; its own where that is nobody, or nobody any more. */
function throughEyes(own: StaffVisit, id: string): StaffVisit {
  const { needs, db, by: viewer, account, sessionKey, now, request, view } = own;
  const found = needs.seeing.at(db, { key: sessionKey, by: viewer }, now);
  if (!found) return own;
  const words = view.words.team.seeing;
  if (found === "ended") {
    needs.seeing.end(sessionKey);
    needs.notes.add(sessionKey, { kind: "wait", title: words.ended, text: words.endedText });
    return own;
  }
  const { by, account: seen, name } = found.seen;
  const refusal = words.refused(view.format.name(name));
  const reading = forReading(db, () => {
    throw new DomainError("forbidden", refusal);
  });
  return {
    ...own,
    by,
    account: seen,
    db: reading,
    needs: { ...needs, db: reading },
    seeing: { target: found.target, name, viewer: account, db, formToken: own.formToken },
    formToken: formToken(db.vault, `seen ${id}`),
    view: consoleViewFor(db, { request, now, ispId: by.scope.ispId }),
    ...readOnce(reading, by, now),
  };
}

function readOnce(db: Db, by: Actor, now: Seconds) {
  return {
    openSessions: once(() => sessionsByRouter(db, by.scope.ispId, { now })),
    isAdminOfAll: once(() => isAdminOfAll(db, by)),
    hasKeys: once(() => ownPreference(db, by, "keys") !== false),
  };
}

function once<T extends NonNullable<unknown>>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}

/** Whether an open page asks, as it does while nobody touches it. */
function isByItself(request: Request): boolean {
  return request.headers.has("x-live") || pathOf(request) === LIVE_PATH;
}

/** To the sign-in page and back; a script that asked for a part is told so, and leaves the page as it is. */
function signInFirst(request: Request, isPart: boolean): Response {
  if (isPart || isScript(request))
    return new Response(null, {
      status: 401,
      headers: { "hx-reswap": "none", "hx-trigger": "session-ended", "cache-control": "no-store" },
    });
  return seeOther(SIGN_IN + thenOf(request));
}

/** Where somebody wanted to go, for the pages on the way there; empty for what is no page. */
function thenOf(request: Request): string {
  const path = request.method === "GET" ? pathOf(request) + withMark(queryOf(request)) : "";
  return path === "" || path === "/console" ? "" : `?then=${encodeURIComponent(path)}`;
}

function withMark(query: string): string {
  return query === "" ? "" : `?${query}`;
}
