import { clientAddress, isSecure } from "../../../client-address.ts";
import { formToken, newVisitId, visitCookie } from "../../../pages/cookies.ts";
import { targetQuery } from "../../../target.ts";
import { page, part } from "../../answers.tsx";
import type { ConsoleRequest, ConsoleNeeds } from "../../guard.ts";
import { type Kept, ownPath } from "../../kept.ts";
import { consoleViewFor } from "../../view.ts";
import { type SignInProps, SignInPage, SignInPart } from "./sign-in.tsx";

type SignInWords = ReturnType<typeof consoleViewFor>["words"]["signIn"];

export interface Refused {
  username?: string;
  onward?: string;
  kept?: Kept | undefined;
  problem?: (words: SignInWords) => string;
  status?: number;
  headers?: Record<string, string>;
}

/** The page of signing in; above an open page its form alone. */
export function signInPage(
  needs: ConsoleNeeds,
  { request, server }: Pick<ConsoleRequest, "request" | "server">,
  refused: Refused,
  { above = false }: { above?: boolean } = {},
): Response {
  const { db, clock, trusted } = needs;
  const { username = "", onward = "", kept, problem, status = 200, headers = {} } = refused;
  const secure = isSecure(request, server, trusted);
  const known = visitCookie.read(request, secure);
  const visit = known === "" ? newVisitId() : known;
  const view = consoleViewFor(db, { request, now: clock() });
  const words = view.words.signIn;
  const done = new URLSearchParams(targetQuery(request)).get("done");
  const props: SignInProps = {
    view,
    username,
    kept,
    onward: ownPath(onward),
    formToken: formToken(db.vault, visit),
    problem: problem?.(words) ?? (kept && words.kept),
    done: done === "signed-out" ? words.signedOut : undefined,
    host: request.headers.get("host") ?? "",
  };
  const cookie = known === "" ? { "set-cookie": visitCookie.write(visit, secure) } : {};
  const options = { status, headers: { ...headers, ...cookie } };
  return above
    ? part({ request }, <SignInPart {...props} />, options)
    : page({ request }, <SignInPage {...props} />, options);
}

/** The address by which attempts are counted. */
export function readSource(
  { trusted }: ConsoleNeeds,
  { request, server }: Pick<ConsoleRequest, "request" | "server">,
) {
  return clientAddress(request, server, trusted);
}
