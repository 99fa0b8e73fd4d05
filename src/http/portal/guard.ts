import type { Db } from "../../../db/open.ts";
import { untilUnlocked } from "../../../db/turns.ts";
import { MoneyWait } from "../../domain/machine/access-boxes/money-waits.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
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
  /** The count of the app's logins too. */
  subscriberLogins: AttemptLimit;
  /** Wrong passwords of the sign-in page by account, wherever they come from. */
  accountFailures: AttemptLimit;
  guesses: CardGuesses;
  /** Called with a subscriber whose package was renewed, and whose open session is still as it was. */
  renewed: (subscriber: Subscriber) => void;
}

/** A request of somebody who is signed in; whose data a page shows follows from this alone. */
export interface Visit {
  readonly request: Request;
  readonly subscriber: Subscriber;
  /** The subscriber, who acts for itself. */
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

/** A page for those who are signed in; others go to the sign-in page. */
export function signedIn(
  needs: PortalNeeds,
  handle: (visit: Visit, params: PortalRequest["params"]) => Answer,
) {
  return (incoming: PortalRequest): Answer => {
    const visit = visitOf(needs, incoming);
    return visit ? handle(visit, incoming.params) : seeOther("/portal/sign-in");
  };
}

/** Who is signed in at this moment; undefined: nobody. */
function visitOf({ db, clock, trusted }: PortalNeeds, { request, server }: PortalRequest): Visit | undefined {
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

/**
 * A form of those who are signed in; others go to `signIn`. Throws `forbidden` for one that is not from a page of this very session.
 */
export function signedInForm(
  needs: PortalNeeds,
  handle: (visit: Visit, input: Input) => Answer,
  signIn = "/portal/sign-in",
) {
  return async (incoming: PortalRequest): Promise<Response> => {
    if (!visitOf(needs, incoming)) return seeOther(signIn);
    const input = await readInput(incoming.request);
    const visit = visitOf(needs, incoming); // as it is now: reading may have taken its time
    if (!visit) return seeOther(signIn);
    if (!isFormToken(needs.db.vault, visit.sessionId, input["form_token"]))
      throw new DomainError("forbidden", "the form is not from this session");
    const money = new MoneyWait(needs.db);
    const answer = await untilUnlocked(needs.db, () => handle(visit, input));
    await money.words(); // a subscriber is not told: what is booked here is good
    return answer;
  };
}
