import { findStaffBySignIn } from "../../../../domain/people/staff/accounts.ts";
import {
  closeConsoleSession,
  consoleSession,
  signInToConsole,
} from "../../../../domain/people/staff/console-sessions.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { countFailure, failureHolder } from "../../../account-failures.ts";
import { readInput } from "../../../body.ts";
import { isSecure } from "../../../client-address.ts";
import { refuseOtherSites } from "../../../cross-site.ts";
import { signInRefusal } from "../../../pages/sign-in-refusal.ts";
import { attempt } from "../../../pages/attempt.ts";
import { formToken, isFormToken, visitCookie } from "../../../pages/cookies.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { targetQuery } from "../../../target.ts";
import { page, part } from "../../answers.tsx";
import {
  type ConsoleRequest,
  type ConsoleNeeds,
  type ConsoleRoute,
  SIGN_IN,
  staffForm,
} from "../../guard.ts";
import { ownPath, readKept } from "../../kept.ts";
import { consoleCookie } from "../../session-cookie.ts";
import { consoleViewFor } from "../../view.ts";
import { CODE, CodePage, CodePart } from "./code.tsx";
import { codeRoutes } from "./code-routes.tsx";
import { goOn, signedInAgain } from "./go-on.tsx";
import { readSource, type Refused, signInPage } from "./show.tsx";

export const signInRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: SIGN_IN, handle: showSignIn },
  { method: "POST", path: SIGN_IN, handle: (needs, incoming) => signIn(needs, incoming, { above: false }) },
  {
    method: "GET",
    path: "/console/sign-in/again",
    handle: (needs, incoming) => {
      const username = new URLSearchParams(targetQuery(incoming.request)).get("as") ?? "";
      const above = incoming.request.headers.has("hx-request");
      return signInPage(needs, incoming, { username: username.slice(0, 128) }, { above });
    },
  },
  {
    method: "POST",
    path: "/console/sign-in/again",
    handle: (needs, incoming) => signIn(needs, incoming, { above: true }),
  },
  ...codeRoutes,
  staffForm("/console/sign-out", ({ db, request, secure, by, now }) => {
    closeConsoleSession(db, { id: consoleCookie.read(request, secure), source: by.source, now });
    return seeOther(`${SIGN_IN}?done=signed-out`, [consoleCookie.end(secure)]);
  }),
];

function showSignIn(needs: ConsoleNeeds, incoming: ConsoleRequest): Response {
  const { db, clock, trusted } = needs;
  const { request, server } = incoming;
  const id = consoleCookie.read(request, isSecure(request, server, trusted));
  const source = readSource(needs, incoming);
  const onward = new URLSearchParams(targetQuery(request)).get("then") ?? "";
  if (id !== "" && consoleSession(db, id, { now: clock(), source, quiet: true }))
    return seeOther(ownPath(onward) || "/console");
  return signInPage(needs, incoming, { onward });
}

/** `above`: in a dialog over an open page whose session has ended. */
async function signIn(
  needs: ConsoleNeeds,
  incoming: ConsoleRequest,
  { above }: { above: boolean },
): Promise<Response> {
  const { db, clock, trusted, staffLogins, accountFailures } = needs;
  const { request, server } = incoming;
  refuseOtherSites(request, server, trusted);
  const input = await readInput(request);
  const username = readTextField(input, "username", 128);
  const password = readTextField(input, "password", 1000);
  const onward = ownPath(readTextField(input, "then", 1000));
  const kept = readKept(input["kept"]);
  const again = (refused: Refused) =>
    signInPage(needs, incoming, { username, onward, kept, ...refused }, { above });
  const secure = isSecure(request, server, trusted);
  if (!isFormToken(db.vault, visitCookie.read(request, secure), input["form_token"]))
    return again({ status: 403, problem: (words) => words.stale });
  if (username.trim() === "" || password === "")
    return again({ status: 422, problem: (words) => words.missing });
  const source = readSource(needs, incoming);
  const userAgent = request.headers.get("user-agent");
  const outcome = await attempt(async () => {
    staffLogins.take(username, source);
    const holder = failureHolder(username, findStaffBySignIn(db, username));
    return countFailure(accountFailures, { holder, address: source }, () =>
      signInToConsole(db, { username, password, source, userAgent, now: clock() }),
    );
  });
  if (outcome instanceof DomainError) return again(signInRefusal(outcome));
  const { id } = outcome;
  const cookies = [consoleCookie.write(id, secure)];
  if (outcome.needs === "code" && (above || kept)) {
    const view = consoleViewFor(db, { request, now: clock() });
    const props = { view, onward, kept, formToken: formToken(db.vault, id), recovery: false };
    const headers = { "set-cookie": cookies.join() };
    return above
      ? part({ request }, <CodePart {...props} />, { headers })
      : page({ request }, <CodePage {...props} />, { headers });
  }
  if (outcome.needs === "code") return seeOther(withThen(CODE, onward), cookies);
  return above
    ? signedInAgain(needs, incoming, { id, secure })
    : goOn(needs, incoming, { id, secure, onward, kept });
}

function withThen(path: string, onward: string): string {
  return onward === "" ? path : `${path}?then=${encodeURIComponent(onward)}`;
}
