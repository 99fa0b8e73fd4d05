import { Elysia } from "elysia";
import { ownCards } from "../../domain/service/cards/redeem.ts";
import { failedAtOnce } from "../pages/attempt.ts";
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
import { describePage } from "./describe-page.ts";
import { type PortalNeeds, signedIn, signedInForm, type Visit } from "./guard.ts";
import { CardPage } from "./pages/card.tsx";

/** Reports an unchecked code, with a way back. */
const BACK = "/portal/sign-in?done=card";

export function cardRoutes(needs: PortalNeeds) {
  const asVisit = ({ subscriber, by, view, now, source }: Visit): CardVisit => {
    const { db, renewed, guesses } = needs;
    return { db, subscriber, by, view, now, source, guesses, renewed };
  };
  const respond = (visit: Visit, { status = 200, headers = {}, ...state }: CardState) => {
    const { view, formToken, by, subscriber } = visit;
    const cards = ownCards(needs.db, by, subscriber.id);
    return pageResponse(<CardPage view={view} formToken={formToken} state={state} cards={cards} />, {
      status,
      headers,
    });
  };
  return new Elysia()
    .get(
      CARD,
      signedIn(needs, (visit) => respond(visit, cardState(asVisit(visit), visit.request))),
      describePage("portalCard", "Where the code of a prepaid card is typed, and what a card did"),
    )
    .post(
      CARD,
      signedInForm(
        needs,
        async (visit, input) => respond(visit, await checkedCard(asVisit(visit), input)),
        BACK,
      ),
      describePage("portalCardCheck", "What a refill or package card would do; it is not used yet", {
        form: ["code"],
        refusals: [429],
      }),
    )
    .post(
      REDEEM,
      signedInForm(
        needs,
        async (visit, input) => {
          const done = await failedAtOnce(redeemedCard(asVisit(visit), input));
          return done instanceof Response ? done : respond(visit, done);
        },
        BACK,
      ),
      describePage("portalCardRedeem", "Redeem a refill or package card", {
        form: ["code"],
        refusals: [429],
      }),
    );
}
