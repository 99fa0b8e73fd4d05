import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { requireSelling, sellCard } from "../../../../domain/desk/card-sales/sell.ts";
import { DomainError, type Faults } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, TextArea } from "../../../pages/parts/field.tsx";
import { drawer, flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { doOnce } from "../../parts/once.tsx";
import { KeyedForm, type Refusal, refusedDrawer, type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { readContext } from "./card.tsx";
import { describeGives } from "../../parts/card-gives.ts";
import { cardHref } from "../../parts/hrefs.ts";
import { isPaid, nextToSell } from "./sells.ts";
import { cardStanding } from "./stock-bar.tsx";
import type { CardContext } from "./verdict.ts";

const PATH = "/console/cards/sell";
export const saleFields = { method: text(20), reference: text(100), note: text(500) };

function selling(visit: StaffVisit): CardContext {
  requireFlag(visit.by, "card_sell");
  return readContext(visit);
}

/** The price and payment; a reseller only marks the card. */
export function askSell(visit: StaffVisit): Response {
  const context = selling(visit);
  return drawer(
    visit,
    sellDrawer(visit, context, () => "", undefined),
  );
}

function sellDrawer(
  visit: StaffVisit,
  context: CardContext,
  values: ReadValue,
  refusal: Refusal | undefined,
) {
  const { by } = visit;
  const { view, card, batch } = context;
  const { card: phrases } = view.words.cards;
  const paid = isPaid(by, batch);
  const sum = view.format.sum(batch.price, view.brand.currency);
  return {
    title: phrases.sellTitle(cardNumber(card.id)),
    lead: describeGives(view, batch).join(view.words.list.comma),
    place: "cards" as const,
    back: cardHref(card.id),
    children: (
      <KeyedForm
        visit={visit}
        action={`${cardHref(card.id)}/sell`}
        values={values}
        refusal={refusal}
        foot={
          <Button kind="solid" size="large" disabled={card.standing !== "new"}>
            {paid ? phrases.sellPress(sum) : phrases.sellMark}
          </Button>
        }
      >
        {card.standing !== "new" ? (
          <p>{phrases.notToSell(view.words.cards.standings[cardStanding(card)])}</p>
        ) : paid ? (
          <>
            <p class="sell-sum">{sum}</p>
            <HowPaid visit={visit} context={context} values={values} refusal={refusal} />
          </>
        ) : (
          <p>{by.scope.salespersonId === null ? phrases.sellFree : phrases.sellReseller}</p>
        )}
      </KeyedForm>
    ),
  };
}

interface Part {
  visit: StaffVisit;
  context: Pick<CardContext, "view" | "batch">;
  values: ReadValue;
  refusal: Refusal | undefined;
}

export function HowPaid({ visit: { db }, context: { view, batch }, values, refusal }: Part) {
  const { pay } = view.words;
  const methods = setting(db, "payment_methods", batch.ispId).split(", ");
  const chosen = values("method") || methods[0];
  return (
    <>
      <fieldset>
        <legend class="legend">{pay.paidBy}</legend>
        <div class="choices pay-methods">
          {methods.map((one) => (
            <label>
              <input type="radio" name="method" value={one} checked={one === chosen} />
              <Icon name="check" />
              {pay.methodName(one)}
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        name="reference"
        label={pay.reference}
        value={values("reference")}
        fault={refusal?.faults["reference"]?.[0]}
        attributes={{ maxlength: 100, autocomplete: "off", class: "mono" }}
      />
      <TextArea name="note" label={pay.note} value={values("note")} maxLength={500} rows={2} />
    </>
  );
}

/** Sells once for the form's key, and offers the receipt. */
export async function sell(visit: StaffVisit, input: Input): Promise<Response> {
  const { by, now } = visit;
  const context = selling(visit);
  const { view } = context;
  const { id } = context.card;
  const done = await doOnce(visit, PATH, { ...input, id }, (tx) => {
    requireSelling(tx, by, { id }, { now });
    return () => {
      const faults: Faults = {};
      const values = readFields(saleFields, input, faults);
      if (Object.keys(faults).length > 0)
        throw new DomainError("invalid", phrase`look at the fields`, { fields: faults });
      const { payment } = sellCard(tx, by, { ...values, id }, { now });
      return {
        payment: payment && {
          id: payment.id,
          number: payment.number,
          amount: payment.amount,
          currency: payment.currency,
        },
      };
    };
  });
  if (done instanceof DomainError)
    return refusedDrawer(visit, done, (refusal) => sellDrawer(visit, context, valuesIn(input), refusal));
  const { card: phrases } = view.words.cards;
  const number = cardNumber(id);
  const { payment } = done;
  const next = nextToSell(visit, context.card, context.batch);
  const onwards = next === undefined ? [] : [{ href: cardHref(next), label: phrases.next(cardNumber(next)) }];
  return flash(
    visit,
    {
      kind: "good",
      title: payment
        ? phrases.sellDone(number, view.format.sum(payment.amount, payment.currency))
        : phrases.sellMarked(number),
      ...(payment && { text: phrases.receipt(payment.number) }),
      links: [
        ...(payment
          ? [
              {
                href: `/console/money/payments/${payment.id}/receipt?paper=roll`,
                label: phrases.printReceipt,
              },
            ]
          : []),
        ...onwards,
      ],
    },
    cardHref(id),
  );
}
