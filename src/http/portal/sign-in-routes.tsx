import { Elysia } from "elysia";
import { DomainError } from "../../domain/core/errors/errors.ts";
import {
  closePortalSession,
  portalSubscriber,
  signInToPortal,
  signOutEverywhere,
} from "../../domain/goods/subscribers/portal-session.ts";
import { readInput } from "../body.ts";
import { countFailure } from "../account-failures.ts";
import { clientAddress, isSecure } from "../client-address.ts";
import { targetQuery } from "../target.ts";
import { signInRefusal } from "../pages/sign-in-refusal.ts";
import { attempt } from "../pages/attempt.ts";
import { NOTHING_KEPT } from "./app-routes.tsx";
import { formToken, isFormToken, newVisitId, visitCookie } from "../pages/cookies.ts";
import { CARD } from "./card-form.ts";
import { describePage } from "./describe-page.ts";
import { type PortalRequest, type PortalNeeds, signedInForm } from "./guard.ts";
import { readTextField } from "../pages/text-of.ts";
import { sessionCookie } from "./session-cookie.ts";
import { languageSwitch } from "./language.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { pageResponse, seeOther } from "../pages/respond.tsx";
import { viewFor } from "./view.ts";
import type { Words } from "../words/languages.ts";

const SIGN_IN = "/portal/sign-in";

export function signInRoutes(needs: PortalNeeds) {
  const { db } = needs;
  return new Elysia()
    .get(
      SIGN_IN,
      ({ request, server }) => showSignIn(needs, { request, server }),
      describePage("portalSignInPage", "The sign-in page", { access: "everybody" }),
    )
    .post(
      SIGN_IN,
      ({ request, server }) => signIn(needs, { request, server }),
      describePage("portalSignIn", "Sign in; limits as at subscriber login", {
        access: "everybody",
        form: ["username", "password"],
        refusals: [401, 429, 503],
      }),
    )
    .post(
      "/portal/sign-out",
      signedInForm(needs, ({ sessionId, source, secure, now }) => {
        closePortalSession(db, { id: sessionId, source, now });
        return seeOther(`${SIGN_IN}?done=signed-out`, [sessionCookie.end(secure)], NOTHING_KEPT);
      }),
      describePage("portalSignOut", "Sign out", { form: [] }),
    )
    .post(
      "/portal/sign-out-everywhere",
      signedInForm(needs, ({ subscriber, by, source, secure, now }) => {
        signOutEverywhere(db, by, { subscriberId: subscriber.id, source }, { now });
        return seeOther(`${SIGN_IN}?done=everywhere`, [sessionCookie.end(secure)], NOTHING_KEPT);
      }),
      describePage("portalSignOutEverywhere", "End every portal session and app token", { form: [] }),
    );
}

type PageRequest = Omit<PortalRequest, "params">;

interface Refused {
  username?: string;
  problem?: (words: Words["signIn"]) => string;
  status?: number;
  headers?: Record<string, string>;
}

function showSignIn(needs: PortalNeeds, { request, server }: PageRequest): Response {
  const { db, clock, trusted } = needs;
  const chosen = languageSwitch(request);
  if (chosen) return chosen;
  const id = sessionCookie.read(request, isSecure(request, server, trusted));
  if (id !== "" && portalSubscriber(db, id, clock())) return seeOther("/portal");
  return signInPage(needs, { request, server });
}

function signInPage(
  { db, clock, trusted }: PortalNeeds,
  { request, server }: PageRequest,
  { username = "", problem, status = 200, headers = {} }: Refused = {},
): Response {
  const secure = isSecure(request, server, trusted);
  const known = visitCookie.read(request, secure);
  const visit = known === "" ? newVisitId() : known;
  const view = viewFor(db, { request, now: clock() });
  const { signedOut, signedOutEverywhere, cardNotUsed } = view.words.signIn;
  const done = doneBefore(request);
  const messages = new Map([
    ["signed-out", signedOut],
    ["everywhere", signedOutEverywhere],
    ["card", cardNotUsed],
  ]);
  return pageResponse(
    <SignInPage
      view={view}
      formToken={formToken(db.vault, visit)}
      request={request}
      username={username}
      problem={problem?.(view.words.signIn)}
      done={messages.get(done)}
      isForCard={done === "card"}
    />,
    {
      status,
      headers: {
        ...headers,
        ...(known === "" && { "set-cookie": visitCookie.write(visit, secure) }),
      },
    },
  );
}

/** `?done=card`. */
function doneBefore(request: Request): string {
  return new URLSearchParams(targetQuery(request)).get("done") ?? "";
}

async function signIn(needs: PortalNeeds, { request, server }: PageRequest): Promise<Response> {
  const { db, clock, trusted, subscriberLogins, accountFailures } = needs;
  const input = await readInput(request);
  const username = readTextField(input, "username", 128);
  const password = readTextField(input, "password", 1000);
  const again = (refused: Refused) => signInPage(needs, { request, server }, { username, ...refused });
  const secure = isSecure(request, server, trusted);
  if (!isFormToken(db.vault, visitCookie.read(request, secure), input["form_token"]))
    return again({ status: 403, problem: (words) => words.stale });
  if (username.trim() === "" || password === "")
    return again({ status: 422, problem: (words) => words.missing });
  const source = clientAddress(request, server, trusted);
  const outcome = await attempt(async () => {
    subscriberLogins.take(username, source);
    return countFailure(accountFailures, { holder: username, address: "" }, () =>
      signInToPortal(db, { username, password, source, now: clock() }),
    );
  });
  return outcome instanceof DomainError
    ? again(signInRefusal(outcome))
    : seeOther(doneBefore(request) === "card" ? CARD : "/portal", [sessionCookie.write(outcome, secure)]);
}
