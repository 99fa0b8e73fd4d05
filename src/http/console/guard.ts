import type { BasicCredentials } from "../basic.ts";
import type { KeyCalls } from "../key-calls.ts";
import { plainNumbers, plainSearch } from "../pages/ungrouped.ts";
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
import { verbatim } from "../../domain/core/errors/phrase.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import type { Arrivals } from "../../domain/goods/nas/arrivals.ts";
import type { MovingRuns } from "../../domain/machine/imports/runs/runs.ts";
import type { NasTools } from "../../domain/goods/router-setup/tools.ts";
import type { Proposal } from "../../domain/around/proposals/proposals.ts";
import type { Subscriber } from "../../domain/goods/subscribers/find.ts";
import { waitingFor } from "../assistants/proposed.ts";
import type { StaffRow } from "../../domain/people/staff/accounts.ts";
import { type Actor, isApplianceAdmin } from "../../domain/core/actor/actor.ts";
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
import { targetPath, targetQuery } from "../target.ts";
import { sessionsByRouter } from "../../domain/money/sums/minutes.ts";
import { rememberIsp } from "./isp-field.tsx";
import { toKept } from "./kept.ts";
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
  /** Needs the NATS library. */
  readonly nats: NatsTools;
  /** As `gatehouse check` finds them. */
  readonly findings: () => readonly Finding[];
  /** Makes and tries backups in the background. */
  readonly backups: BackupDesk;
  readonly appliance: () => ApplianceProcess;
  /** Of programs, which read what is text. */
  readonly credentials: BasicCredentials;
  readonly keyCalls: KeyCalls;
  /** Shared with the API. */
  readonly staffLogins: AttemptLimit;
  readonly accountFailures: AttemptLimit;
  /** Wrong codes of second factors, from any address. */
  readonly codeFailures: AttemptLimit;
  readonly notes: Notes;
  /** Sessions that see the console as somebody else. */
  readonly seeing: Seeing;
  readonly streams: LiveStreams;
  readonly answered: Answered;
  /** Passwords of lines that staff try, by account. */
  readonly passwordTests: AttemptLimit;
  readonly askLogin: AskLogin;
  readonly routerTests: RouterTests;
  readonly setupRuns: SetupRuns;
  /** Wrong codes of cards, shared with portal and API. */
  readonly guesses: CardGuesses;
  readonly arrivals: Arrivals;
  readonly moving: MovingRuns;
  /** Called after a renewal, whose open session has yet to change. */
  readonly renewed: (subscriber: Subscriber) => void;
}

/** A request of a signed-in member of staff: all that a page may depend on. */
export interface StaffVisit {
  readonly needs: ConsoleNeeds;
  readonly db: Db;
  readonly request: Request;
  /** With scope and flags as of now. */
  readonly by: Actor;
  readonly account: StaffRow;
  readonly sessionKey: string;
  /** Who really looks, where somebody sees as another; nothing can be changed then. */
  readonly seeing: SeeingVisit | undefined;
  /** The step of sign-in that is missing; only the pages for it are open. */
  readonly lacks: ConsoleNeedsFactor;
  readonly formToken: string;
  readonly view: ConsoleView;
  readonly now: Seconds;
  /** Open sessions by router; this and the three below are read once a request, on first use. */
  readonly openSessions: () => ReadonlyMap<number, number>;
  readonly isApplianceAdmin: () => boolean;
  /** Whether keyboard shortcuts are on. */
  readonly hasKeys: () => boolean;
  /** What assistants ask for and this person may press. */
  readonly asked: () => readonly Proposal[];
  readonly source: string;
  readonly secure: boolean;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  /** Whether a script asks for a part, without its frame. */
  readonly isPart: boolean;
}

export interface FormVisit extends StaffVisit {
  /** Whether the standby has received the money that this request moves. */
  readonly money: MoneyWait;
}

/** `by` and `account` of the visit are somebody else's. */
interface SeeingVisit {
  readonly target: SeenAs;
  readonly name: string;
  readonly viewer: StaffRow;
  /** Writable, for ending it. */
  readonly db: Db;
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
  /** What its form does. */
  readonly operation?: string;
  readonly handle: (needs: ConsoleNeeds, incoming: ConsoleRequest) => Answer;
}

/** The stream of live updates. */
export const LIVE_PATH = "/console/live";
/** The page to which requests without a full session go. */
export const SIGN_IN = "/console/sign-in";
const CODE = "/console/sign-in/code";
const ENROLMENT = "/console/me/second-factor";
/** Pages open to a session with a missing step; it is redirected to the first. */
const STEPS: Readonly<Record<Exclude<ConsoleNeedsFactor, "nothing">, readonly [string, ...string[]]>> = {
  code: [CODE, "/console/sign-in/again/code", "/console/sign-out"],
  enrolment: [ENROLMENT, "/console/sign-out"],
};

const openWhileSeeing: ReadonlySet<string> = new Set([SEEING_END, "/console/sign-out"]);
const ownPages = /^\/console\/(?:me|start|sign-in)(?:\/|$)/;

/** A page for signed-in staff; others are sent to sign in and come back. */
export function staffPage(path: string, handle: (visit: StaffVisit) => Answer): ConsoleRoute {
  return {
    method: "GET",
    path,
    handle: (needs, incoming) => {
      const visit = openVisit(needs, incoming);
      if (visit instanceof Response) return visit;
      if (visit.seeing && ownPages.test(visit.path))
        throw new DomainError("forbidden", verbatim(visit.view.words.team.seeing.own));
      return handle(visit);
    },
  };
}

/** A form of signed-in staff. Throws `forbidden` for a token of another session. */
export function staffForm(path: string, handle: (visit: FormVisit, input: Input) => Answer): ConsoleRoute {
  return {
    method: "POST",
    path,
    handle: async (needs, incoming) => {
      refuseOtherSites(incoming.request, incoming.server, needs.trusted);
      const before = openVisit(needs, incoming);
      if (before instanceof Response) return (await keepInput(needs, incoming)) ?? before;
      refuseWhileSeeing(before);
      const { input: body, isLate } = await readInputInTime(incoming.request);
      const input = plainNumbers(body);
      const current = isLate ? openVisit(needs, incoming) : before;
      if (current instanceof Response) return current;
      refuseWhileSeeing(current);
      const visit = { ...current, money: new MoneyWait(needs.db) };
      if (
        !isFormToken(needs.db.vault, consoleCookie.read(incoming.request, visit.secure), input["form_token"])
      )
        throw new DomainError("forbidden", verbatim(visit.view.words.errors.stale));
      const seen = visit.seeing ? { ...visit, db: visit.seeing.db } : visit;
      // outside the operation, which is only tried again while nothing was written
      if (!visit.seeing) await untilUnlocked(visit.db, () => rememberIsp(visit, input));
      const answer = await untilUnlocked(seen.db, () => handle(seen, input));
      await moneyWords(visit);
      return answer;
    },
  };
}

/** Whether a form token is that of the session that asks. */
export type TokenCheck = (token: unknown) => boolean;

/** A form with files, which `handle` streams; its token has to come before the first file. */
export function staffUpload(
  path: string,
  handle: (visit: FormVisit, isToken: TokenCheck) => Answer,
): ConsoleRoute {
  return {
    method: "POST",
    path,
    handle: async (needs, incoming) => {
      refuseOtherSites(incoming.request, incoming.server, needs.trusted);
      const current = openVisit(needs, incoming);
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
 * Carries the input of an expired session through the sign-in, if the form is from a page of that session. Undefined for a
 * script, which keeps its page.
 */
async function keepInput(needs: ConsoleNeeds, incoming: ConsoleRequest): Promise<Response | undefined> {
  const { request, server } = incoming;
  if (isScript(request)) return undefined;
  const { db, trusted, clock } = needs;
  const id = consoleCookie.read(request, isSecure(request, server, trusted));
  if (id !== "" && consoleSession(db, id, { now: clock(), source: "", quiet: true })) return undefined;
  const input = await readInput(request);
  if (!isFormToken(db.vault, id, input["form_token"])) return undefined;
  const kept = toKept(targetPath(request), input);
  return kept && signInPage(needs, incoming, { kept, status: 401 });
}

/** Waits until the standby has the money, and otherwise says so on the next page. */
async function moneyWords({ money, needs, sessionKey, view }: FormVisit): Promise<void> {
  if (money.isSaid || (await money.words()) === undefined) return;
  const { onlyHere: title, onlyHereMeans: text } = view.words.pay;
  needs.notes.add(sessionKey, { kind: "wait", title, text });
}

/** Throws `forbidden` for changes while seeing as somebody else. */
function refuseWhileSeeing({ seeing, view, path }: StaffVisit): void {
  if (!seeing || openWhileSeeing.has(path)) return;
  throw new DomainError("forbidden", verbatim(view.words.team.seeing.refused(view.format.name(seeing.name))));
}

function isScript({ headers }: Request): boolean {
  return headers.has("hx-request");
}

/** The visit for an error page; undefined where nobody is fully signed in. */
export function findFailedVisit(needs: ConsoleNeeds, request: Request): StaffVisit | undefined {
  const secure = consoleCookie.read(request, true) !== "";
  const id = consoleCookie.read(request, secure);
  const { db, clock } = needs;
  const source = "";
  const session = id === "" ? undefined : consoleSession(db, id, { now: clock(), source, quiet: true });
  if (session?.needs !== "nothing") return undefined;
  return visitIn(needs, { request, session, id, secure, source, params: {} });
}

/** The visit of a request, or a redirect to the sign-in. */
function openVisit(needs: ConsoleNeeds, { request, server, params }: ConsoleRequest): StaffVisit | Response {
  const { db, clock, trusted } = needs;
  const secure = isSecure(request, server, trusted);
  const source = clientAddress(request, server, trusted);
  const id = consoleCookie.read(request, secure);
  const quiet = isByItself(request);
  const session = id === "" ? undefined : consoleSession(db, id, { now: clock(), source, quiet });
  const path = targetPath(request);
  const isPart = request.headers.get("hx-request-type") === "partial";
  if (!session) return signInFirst(request, isPart);
  if (session.needs !== "nothing" && !STEPS[session.needs].includes(path))
    return isScript(request)
      ? signInFirst(request, isPart)
      : seeOther(STEPS[session.needs][0] + thenQuery(request));
  return visitIn(needs, { request, session, id, secure, source, params });
}

interface InSession extends Pick<StaffVisit, "request" | "secure" | "source" | "params"> {
  readonly session: ConsoleSession;
  readonly id: string;
}

/** The visit of a session, or of the account that it sees as. */
function visitIn(needs: ConsoleNeeds, { request, session, id, secure, source, params }: InSession) {
  const { db, clock } = needs;
  const { by, account, key } = session;
  const now = clock();
  const path = targetPath(request);
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
    view: consoleViewFor(db, { request, now, ispId: account.ispId, reader: by }),
    query: searched(new URLSearchParams(targetQuery(request))),
    ...readOnce(db, by, now),
  };
  return throughEyes(own, id);
}

function searched(query: URLSearchParams): URLSearchParams {
  const search = query.get("q");
  if (search !== null) query.set("q", plainSearch(search));
  return query;
}

/** The visit of the account seen as; the own one where that has ended. */
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
    throw new DomainError("forbidden", verbatim(refusal));
  });
  return {
    ...own,
    by,
    account: seen,
    db: reading,
    needs: { ...needs, db: reading },
    seeing: { target: found.target, name, viewer: account, db, formToken: own.formToken },
    formToken: formToken(db.vault, `seen ${id}`),
    view: consoleViewFor(db, { request, now, ispId: by.scope.ispId, reader: viewer }),
    ...readOnce(reading, by, now),
  };
}

function readOnce(db: Db, by: Actor, now: Seconds) {
  return {
    openSessions: once(() => sessionsByRouter(db, by.scope.ispId, { now })),
    isApplianceAdmin: once(() => isApplianceAdmin(db, by)),
    hasKeys: once(() => ownPreference(db, by, "keys") !== false),
    asked: once(() => waitingFor(db, by, now)),
  };
}

function once<T extends NonNullable<unknown>>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}

/** Whether the page itself asks, without its user. */
function isByItself(request: Request): boolean {
  return request.headers.has("x-live") || targetPath(request) === LIVE_PATH;
}

/** Redirects to the sign-in and back; a script gets a message and keeps its page. */
function signInFirst(request: Request, isPart: boolean): Response {
  if (isPart || isScript(request))
    return new Response(null, {
      status: 401,
      headers: { "hx-reswap": "none", "hx-trigger": "session-ended", "cache-control": "no-store" },
    });
  return seeOther(SIGN_IN + thenQuery(request));
}

function thenQuery(request: Request): string {
  const path = request.method === "GET" ? targetPath(request) + withMark(targetQuery(request)) : "";
  return path === "" || path === "/console" ? "" : `?then=${encodeURIComponent(path)}`;
}

function withMark(query: string): string {
  return query === "" ? "" : `?${query}`;
}
