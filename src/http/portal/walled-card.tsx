import { untilUnlocked } from "../../../db/turns.ts";
import { MoneyWait } from "../../domain/machine/access-boxes/money-waits.ts";
import type { Subscriber } from "../../domain/goods/subscribers/find.ts";
import { subscriberActor } from "../../domain/goods/subscribers/tokens.ts";
import type { Captive } from "../../domain/desk/portal/captive.ts";
import { captiveState } from "./pages/captive.tsx";
import { readInput } from "../body.ts";
import { formToken, isFormToken } from "../pages/cookies.ts";
import { pageResponse } from "../pages/respond.tsx";
import {
  CARD,
  type CardState,
  type CardVisit,
  checkedCard,
  REDEEM,
  redeemedCard,
  cardState,
} from "./card-form.ts";
import { WalledCardPage } from "./pages/card.tsx";

type Known = Omit<CardVisit, "by">;

/** Whether a card can help. */
export function takesCards({ reason, subscriber }: Captive): boolean {
  return (
    subscriber !== undefined && (reason === "expired" || reason === "quota_used_up" || reason === "inactive")
  );
}

/** The card page of a line in the walled garden; undefined: another page. */
export async function walledCardPage(
  known: Known,
  {
    request,
    path,
    captive,
    isAllowed,
  }: { request: Request; path: string; captive: Captive; isAllowed: boolean },
): Promise<Response | undefined> {
  const visit: CardVisit = { ...known, by: subscriberActor(known.subscriber, "walled garden") };
  const respond = (state: CardState) => answer(visit, request, captiveState(captive), state);
  if (request.method !== "POST") {
    const state = path === CARD ? cardState(visit, request) : {};
    return path === CARD && (isAllowed || state.done) ? respond(state) : undefined;
  }
  if (path !== CARD && path !== REDEEM) return undefined;
  const input = await readInput(request);
  if (!isFormToken(visit.db.vault, lineToken(visit.subscriber), input["form_token"]))
    return respond({ status: 403, problem: visit.view.words.signIn.stale });
  if (path === CARD) return isAllowed ? respond(await checkedCard(visit, input)) : undefined;
  // also after release: a repeated press
  const money = new MoneyWait(visit.db);
  const done = await untilUnlocked(visit.db, () => redeemedCard(visit, input));
  await money.words();
  return done instanceof Response ? done : respond(done);
}

/** The line, for nobody signs in. */
const lineToken = ({ id }: Subscriber) => `line of subscriber ${id}`;

function answer(
  visit: CardVisit,
  request: Request,
  captive: string,
  { status = 200, headers = {}, ...state }: CardState,
): Response {
  const { db, subscriber, view } = visit;
  const token = formToken(db.vault, lineToken(subscriber));
  return pageResponse(
    <WalledCardPage
      view={view}
      formToken={token}
      state={state}
      name={subscriber.name}
      captive={captive}
      request={request}
    />,
    {
      status,
      headers: {
        ...headers,
        ...(state.done && { "x-gatehouse-captive": captive }),
        "x-robots-tag": "noindex",
      },
    },
  );
}
