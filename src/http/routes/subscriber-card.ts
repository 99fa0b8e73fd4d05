import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { onlyHere } from "../../domain/machine/access-boxes/money-waits.ts";
import { previewOwnCard, redeemOwn } from "../../domain/service/cards/redeem.ts";
import { MAX_LENGTH } from "../../domain/service/cards/redeem-plan.ts";
import { string } from "../../domain/core/fields/fields.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import { everything } from "../../domain/core/actor/operator.ts";
import { type Subscriber, subscriberById } from "../../domain/goods/subscribers/find.ts";
import {
  requireValid,
  subscriberActor,
  type ValidSubscriberToken,
} from "../../domain/goods/subscribers/tokens.ts";
import type { Clock, Seconds } from "../../domain/core/time/time.ts";
import {
  examplePreview,
  exampleRedeemed,
  previewSchema,
  redeemedSchema,
  previewToJson,
  redeemedToJson,
} from "../../wire/card-redeem.ts";
import { readInput } from "../body.ts";
import type { CardGuesses } from "../card-guesses.ts";
import type { TrustedProxies } from "../client-address.ts";
import { describe } from "../describe.ts";
import { read } from "../form.ts";
import { subscriberTokenGuard } from "../guards.ts";
import { withMinor } from "../../wire/money.ts";

interface Needs {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
  guesses: CardGuesses;
  renewed: (subscriber: Subscriber) => void;
}

export function subscriberCardRoutes({ db, clock, trusted, guesses, renewed }: Needs) {
  return new Elysia({ prefix: "/api/v1/subscriber/card" })
    .use(subscriberTokenGuard({ db, clock, trusted }))
    .post(
      "/preview",
      async ({ request, presented, source }) => {
        const { code } = read(form, await readInput(request));
        const { by, subscriber, now } = caller(db, presented, source, clock());
        const input = { subscriberId: subscriber.id, code };
        const does = guesses.count(toGuesser(subscriber, source), () =>
          previewOwnCard(db, by, input, { now }),
        );
        return { success: true, data: withMinor(previewSchema, previewToJson(does)) };
      },
      describePreview,
    )
    .post(
      "/redeem",
      async ({ request, presented, source }) => {
        const { code } = read(form, await readInput(request));
        const { by, subscriber, now } = caller(db, presented, source, clock());
        const input = { subscriberId: subscriber.id, code };
        const done = guesses.count(toGuesser(subscriber, source), () => redeemOwn(db, by, input, { now }));
        if (done.activated) renewed(subscriber);
        await onlyHere(db); // a subscriber is not told: what is booked here is good
        return { success: true, message: REDEEMED, data: withMinor(redeemedSchema, redeemedToJson(done)) };
      },
      describeRedeem,
    );
}

const REDEEMED = "The card is redeemed.";

/** The caller, read again because reading took time. */
function caller(
  db: Db,
  presented: ValidSubscriberToken,
  source: string,
  now: Seconds,
): { subscriber: Subscriber; by: Actor; now: Seconds } {
  requireValid(db, presented, now);
  const subscriber = subscriberById(db, everything, presented.subscriberId);
  return { subscriber, by: subscriberActor(subscriber, source), now };
}

const toGuesser = ({ id, ispId }: Subscriber, address: string) => ({
  holder: `subscriber ${id}`,
  ispId,
  address,
});

const form = {
  fields: { code: string(MAX_LENGTH) },
  required: ["code"] as const,
  example: { code: "F3QH-5UWT" },
};
const tags: [string] = ["Subscriber authentication"];
const refusals = {
  404: "There is no card with this code.",
  422: "The card is void, was used before, is over, is not sold yet, is one for the hotspot or of another branch; or its package cannot be activated. Nothing is booked.",
  429: "Five wrong codes in a minute, or the package began less than two minutes ago; see Retry-After.",
};

const describePreview = describe({
  operationId: "subscriberCardPreview",
  tags,
  summary: "See what a refill or package card would do; it is not used by it",
  access: "subscriber",
  form,
  success: {
    description: "What redeeming it would do now.",
    schema: Type.Object({ success: Type.Literal(true), data: previewSchema }),
    example: { success: true, data: examplePreview },
  },
  refusals,
});

const describeRedeem = describe({
  operationId: "subscriberCardRedeem",
  tags,
  summary: "Redeem a refill or package card",
  description: "Whole or not at all, once for each card, by the rules of every activation.",
  access: "subscriber",
  form,
  success: {
    description: "What the card did.",
    schema: Type.Object({
      success: Type.Literal(true),
      message: Type.String(),
      data: redeemedSchema,
    }),
    example: { success: true, message: REDEEMED, data: exampleRedeemed },
  },
  refusals,
});
