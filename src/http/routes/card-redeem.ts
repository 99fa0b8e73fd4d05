import { Type } from "@sinclair/typebox";
import { previewCard, redeemCard } from "../../domain/service/cards/redeem.ts";
import { MAX_LENGTH } from "../../domain/service/cards/redeem-plan.ts";
import { applyTopUp } from "../../domain/service/control/apply-top-up.ts";
import { id, text } from "../../domain/core/fields/fields.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import {
  examplePreview,
  exampleRedeemed,
  previewSchema,
  redeemedSchema,
  previewToJson,
  redeemedToJson,
} from "../../wire/card-redeem.ts";
import { nullable } from "../../wire/kinds.ts";
import type { Guesser } from "../card-guesses.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/card";
const tags: [string] = ["Money"];
const form = managementForm({ user_id: id, code: text(MAX_LENGTH) }, ["user_id", "code"], {
  user_id: 42,
  code: "F3QH-5UWT",
});
const refusals = {
  404: "There is no such subscriber, or no card with this code.",
  422: "The card is void, was used before, is over, is not sold yet, is one for the hotspot or of another branch; or its package cannot be activated. Nothing is booked.",
  429: "Five wrong codes in a minute, or the subscriber was activated less than two minutes ago.",
};

/** Whose wrong codes they are. */
const toGuesser = ({ staffId, name, source, scope }: Actor): Guesser => ({
  holder: staffId === null ? name : `staff ${staffId}`,
  ispId: scope.ispId,
  address: source,
});

const preview = managed({
  method: "POST",
  path: `${PREFIX}/preview`,
  takesKey: false,
  operation: "previewCard",
  operationId: "previewCard",
  tags,
  summary: "See what a refill or package card would do for a subscriber",
  description: "The card is not used by it.",
  form,
  success: {
    description: "What redeeming it would do now.",
    schema: Type.Object({ success: Type.String(), ...previewSchema.properties }),
    example: { success: "The card can be redeemed.", ...examplePreview },
  },
  refusals,
  run: ({ db, by, values: { user_id: subscriberId, code }, now, guesses }) => {
    const does = guesses.count(toGuesser(by), () => previewCard(db, by, { subscriberId, code }, { now }));
    return { success: "The card can be redeemed.", ...previewToJson(does) };
  },
});

const answerFields = {
  success: Type.String(),
  ...redeemedSchema.properties,
  session: Type.Optional(Type.String()),
};
const withInvoice = Type.Object({
  ...answerFields,
  user_id: Type.Integer(),
  invoice_id: nullable(Type.Integer()),
});

const redeem = managed({
  method: "POST",
  path: `${PREFIX}/redeem`,
  operation: "redeemCard",
  operationId: "redeemCard",
  tags,
  summary: "Redeem a refill or package card for a subscriber",
  description:
    "A refill puts the price of its batch into the subscriber's wallet. A package card puts in what its package costs and activates that, by the rules of every activation, or adds it to what runs where it is a top-up; an open session is given what is new. Either happens whole or not at all, once for each card. Subscribers redeem cards themselves in the portal, on the page of an expired line, and in the app (`POST /api/v1/subscriber/card/redeem`). An access card is none of these: its code is typed at the hotspot.",
  form,
  success: {
    description: "Redeemed. `session` says what became of an open session.",
    schema: withInvoice,
    example: { success: "Card C-000123 redeemed.", ...exampleRedeemed, user_id: 42, invoice_id: 7 },
  },
  refusals,
  once: ({ db, by, values: { user_id } }) => void subscriberById(db, by.scope, user_id),
  run: ({ db, by, values: { user_id: subscriberId, code }, now, guesses }) => {
    const done = guesses.count(toGuesser(by), () => redeemCard(db, by, { subscriberId, code }, { now }));
    const json = redeemedToJson(done);
    const invoiceId = done.activated?.invoiceId ?? null;
    return {
      success: `Card ${json.card} redeemed.`,
      ...json,
      user_id: subscriberId,
      invoice_id: invoiceId,
    };
  },
  after: async ({ db, clock, routers }, answer) => {
    const { user_id: subscriberId, invoice_id: invoiceId } = answer;
    if (invoiceId === null) return answer;
    return { ...answer, session: await applyTopUp(db, { subscriberId, invoiceId }, { clock, routers }) };
  },
});

export const cardRedeemOperations = [preview, redeem];
