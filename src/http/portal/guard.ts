import type { Db } from "../../../db/open.ts";
import { untilUnlocked } from "../../../db/turns.ts";
import { MoneyWait } from "../../domain/machine/access-boxes/money-waits.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import type { Subscriber } from "../../domain/goods/subscribers/find.ts";
import { portalSubscriber } from "../../domain/goods/subscribers/portal-session.ts";
import { subscriberActor } from "../../domain/goods/subscribers/tokens.ts";
import type { Clock, Seconds } from "../../domain/core/time/time.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import { readInput } from "../body.ts";
import type { CardGuesses } from "../card-guesses.ts";
import { clientAddress, isSecure, type TrustedProxies } from "../client-address.ts";
import { formToken, isFormToken } from "../pages/cookies.ts";
import { sessionCookie } from "./session-cookie.ts";
import type { View } from "./layout.tsx";
import { seeOther } from "../pages/respond.tsx";
import { viewFor } from "./view.ts";

export interface PortalNeeds {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
  subscriberLogins: AttemptLimit;
  /** Wrong passwords by account, from all addresses. */
  accountFailures: AttemptLimit;
  guesses: CardGuesses;
  renewed: (subscriber: Subscriber) => void;
}

/** A signed-in request: all that a page may depend on. */
export interface Visit {
  readonly request: Request;
  readonly subscriber: Subscriber;
  /** Acts for itself. */
  readonly by: Actor;
  readonly sessionId: string;
  readonly formToken: string;
  readonly view: View;
  readonly now: Seconds;
  readonly source: string;
  readonly secure: boolean;
}

export interface PortalRequest {
  request: Request;
  server: Parameters<typeof clientAddress>[1];
  params: Readonly<Record<string, string>>;
}

type Answer = Response | Promise<Response>;

/** Others are sent to sign in. */
export function signedIn(
  needs: PortalNeeds,
  handle: (visit: Visit, params: PortalRequest["params"]) => Answer,
) {
  return (incoming: PortalRequest): Answer => {
    const visit = findVisit(needs, incoming);
    return visit ? handle(visit, incoming.params) : seeOther("/portal/sign-in");
  };
}

/** The visit of a signed-in subscriber; undefined: nobody is signed in. */
function findVisit(
  { db, clock, trusted }: PortalNeeds,
  { request, server }: PortalRequest,
): Visit | undefined {
  const now = clock();
  const secure = isSecure(request, server, trusted);
  const sessionId = sessionCookie.read(request, secure);
  const subscriber = sessionId === "" ? undefined : portalSubscriber(db, sessionId, now);
  return (
    subscriber && {
      request,
      subscriber,
      by: subscriberActor(subscriber, "portal"),
      sessionId,
      formToken: formToken(db.vault, sessionId),
      view: viewFor(db, { request, now, ispId: subscriber.ispId }),
      now,
      source: clientAddress(request, server, trusted),
      secure,
    }
  );
}

/** Others go to `signIn`. Throws `forbidden` for a token of another session. */
export function signedInForm(
  needs: PortalNeeds,
  handle: (visit: Visit, input: Input) => Answer,
  signIn = "/portal/sign-in",
) {
  return async (incoming: PortalRequest): Promise<Response> => {
    if (!findVisit(needs, incoming)) return seeOther(signIn);
    const input = await readInput(incoming.request);
    const visit = findVisit(needs, incoming); // as it is now: reading may have taken its time
    if (!visit) return seeOther(signIn);
    if (!isFormToken(needs.db.vault, visit.sessionId, input["form_token"]))
      throw new DomainError("forbidden", phrase`the form is not from this session`);
    const money = new MoneyWait(needs.db);
    const answer = await untilUnlocked(needs.db, () => handle(visit, input));
    await money.words(); // a subscriber is not told: what is booked here is good
    return answer;
  };
}
