import {
  closeConsoleSession,
  consoleSession,
  signInToConsole,
} from "../../../../domain/staff/console-sessions.ts";
import { findStaffBySignIn } from "../../../../domain/staff/accounts.ts";
import { DomainError } from "../../../../domain/errors.ts";
import { countFailure, holderOf } from "../../../account-failures.ts";
import { readInput } from "../../../body.ts";
import { clientAddress, isSecure } from "../../../client-address.ts";
import { refuseOtherSites } from "../../../cross-site.ts";
import { attempt } from "../../../pages/attempt.ts";
import { formToken, isFormToken, newVisitId, visitCookie } from "../../../pages/cookies.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { textOf } from "../../../portal/guard.ts";
import { queryOf } from "../../../target.ts";
import { page } from "../../answers.tsx";
import { type Asked, type ConsoleNeeds, type ConsoleRoute, SIGN_IN, staffForm } from "../../guard.ts";
import { consoleCookie } from "../../session-cookie.ts";
import { consoleViewFor } from "../../view.ts";
import { SignInPage } from "./sign-in.tsx";

type SignInWords = ReturnType<typeof consoleViewFor>["words"]["signIn"];

interface Refused {
  username?: string;
  next?: string;
  problem?: (words: SignInWords) => string;
  status?: number;
  headers?: Record<string, string>;
}

/** Signing in to the console and out of it. */
export const signInRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: SIGN_IN, handle: showSignIn },
  { method: "POST", path: SIGN_IN, handle: signIn },
  staffForm("/console/sign-out", ({ db, request, secure, by, now }) => {
    closeConsoleSession(db, { id: consoleCookie.read(request, secure), source: by.source, now });
    return seeOther(`${SIGN_IN}?done=signed-out`, [consoleCookie.end(secure)]);
  }),
];

function showSignIn(needs: ConsoleNeeds, asked: Asked): Response {
  const { db, clock, trusted } = needs;
  const { request, server } = asked;
  const id = consoleCookie.read(request, isSecure(request, server, trusted));
  const source = clientAddress(request, server, trusted);
  if (id !== "" && consoleSession(db, id, { now: clock(), source })) return seeOther("/console");
  const then = new URLSearchParams(queryOf(request)).get("then") ?? "";
  return signInPage(needs, asked, { next: then });
}

/** The sign-in page, with what was refused. */
function signInPage(needs: ConsoleNeeds, { request, server }: Asked, refused: Refused): Response {
  const { db, clock, trusted } = needs;
  const { username = "", next = "", problem, status = 200, headers = {} } = refused;
  const secure = isSecure(request, server, trusted);
  const known = visitCookie.read(request, secure);
  const visit = known === "" ? newVisitId() : known;
  const view = consoleViewFor(db, { request, now: clock() });
  const words = view.words.signIn;
  const done = new URLSearchParams(queryOf(request)).get("done");
  return page(
    { request },
    <SignInPage
      view={view}
      formToken={formToken(db.vault, visit)}
      next={ownPath(next)}
      username={username}
      problem={problem?.(words)}
      done={done === "signed-out" ? words.signedOut : undefined}
    />,
    {
      status,
      headers: { ...headers, ...(known === "" && { "set-cookie": visitCookie.write(visit, secure) }) },
    },
  );
}

async function signIn(needs: ConsoleNeeds, asked: Asked): Promise<Response> {
  const { db, clock, trusted, staffLogins, accountFailures } = needs;
  const { request, server } = asked;
  refuseOtherSites(request, server, trusted);
  const input = await readInput(request);
  const username = textOf(input, "username", 128);
  const password = textOf(input, "password", 1000);
  const then = ownPath(textOf(input, "then", 1000));
  const again = (refused: Refused) => signInPage(needs, asked, { username, next: then, ...refused });
  const secure = isSecure(request, server, trusted);
  if (!isFormToken(db.vault, visitCookie.read(request, secure), input["form_token"]))
    return again({ status: 403, problem: (words) => words.stale });
  if (username.trim() === "" || password === "")
    return again({ status: 422, problem: (words) => words.missing });
  const source = clientAddress(request, server, trusted);
  const userAgent = request.headers.get("user-agent");
  const outcome = await attempt(async () => {
    staffLogins.take(username, source);
    const holder = holderOf(username, findStaffBySignIn(db, username));
    return countFailure(accountFailures, { holder, address: source }, () =>
      signInToConsole(db, { username, password, source, userAgent, now: clock() }),
    );
  });
  if (outcome instanceof DomainError) return again(refusalOf(outcome));
  return seeOther(then || "/console", [consoleCookie.write(outcome.id, secure)]);
}

/** A path of the console; empty for anything else. */
function ownPath(path: string): string {
  return /^\/console(?:[/?][^\\\p{Cc}]*)?$/u.test(path) ? path : "";
}

function refusalOf({ code, retryAfter = 1 }: DomainError): Refused {
  const headers = { "retry-after": String(retryAfter) };
  switch (code) {
    case "too_soon":
      return { status: 429, headers, problem: (words) => words.tooMany(retryAfter) };
    case "overloaded":
      return { status: 503, headers, problem: (words) => words.busy };
    case "forbidden":
      return { status: 403, problem: (words) => words.disabled };
    default:
      return { status: 401, problem: (words) => words.wrong };
  }
}
