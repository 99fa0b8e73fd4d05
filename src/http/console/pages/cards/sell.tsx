import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { requireSelling, sellCard } from "../../../../domain/desk/card-sales/sell.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, TextArea } from "../../../pages/parts/field.tsx";
import { drawer, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { doOnce, KeyedForm, type Refusal, refusedDrawer, type Typed, typedIn } from "../money/keyed.tsx";
import { shownOf } from "./card.tsx";
import { givesOf } from "./gives.ts";
import { cardHref } from "./paths.ts";
import { isPaid, nextToSell } from "./sells.ts";
import { standingOfCard } from "./stock-bar.tsx";
import type { Shown } from "./verdict.ts";

const PATH = "/console/cards/sell";
/** How a sale is paid. */
export const saleFields = { method: text(20), reference: text(100), note: text(500) };

function selling(visit: StaffVisit): Shown {
  requireFlag(visit.by, "card_sell");
  return shownOf(visit);
}

/** The price, and how it is paid; a reseller only marks the card. */
export function askSell(visit: StaffVisit): Response {
  const shown = selling(visit);
  return drawer(
    visit,
    sellDrawer(visit, shown, () => "", undefined),
  );
}

function sellDrawer(visit: StaffVisit, shown: Shown, typed: Typed, refusal: Refusal | undefined) {
  const { by } = visit;
  const { view, card, batch } = shown;
  const { card: say } = view.words.cards;
  const paid = isPaid(by, batch);
  const sum = view.format.sum(batch.price, view.brand.currency);
  return {
    title: say.sellTitle(cardNumber(card.id)),
    lead: givesOf(view, batch).join(", "),
    place: "cards" as const,
    back: cardHref(card.id),
    children: (
      <KeyedForm
        visit={visit}
        action={`${cardHref(card.id)}/sell`}
        typed={typed}
        refusal={refusal}
        foot={
          <Button kind="solid" size="large" disabled={card.standing !== "new"}>
            {paid ? say.sellPress(sum) : say.sellMark}
          </Button>
        }
      >
        {card.standing !== "new" ? (
          <p>{say.notToSell(view.words.cards.standings[standingOfCard(card)])}</p>
        ) : paid ? (
          <>
            <p class="sell-sum">{sum}</p>
            <HowPaid visit={visit} shown={shown} typed={typed} refusal={refusal} />
          </>
        ) : (
          <p>{by.scope.salespersonId === null ? say.sellFree : say.sellReseller}</p>
        )}
      </KeyedForm>
    ),
  };
}

interface Part {
  visit: StaffVisit;
  shown: Pick<Shown, "view" | "batch">;
  typed: Typed;
  refusal: Refusal | undefined;
}

/** The method, and what is noted of it. */
export function HowPaid({ visit: { db }, shown: { view, batch }, typed, refusal }: Part) {
  const { pay } = view.words;
  const methods = setting(db, "payment_methods", batch.ispId).split(", ");
  const chosen = typed("method") || methods[0];
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
        value={typed("reference")}
        fault={refusal?.faults["reference"]?.[0]}
        attributes={{ maxlength: 100, autocomplete: "off", class: "mono" }}
      />
      <TextArea name="note" label={pay.note} value={typed("note")} maxLength={500} rows={2} />
    </>
  );
}

/** Sells it once for the key of the form, and offers the receipt. */
export async function sell(visit: StaffVisit, input: Input): Promise<Response> {
  const { by, now } = visit;
  const shown = selling(visit);
  const { view } = shown;
  const { id } = shown.card;
  const done = await doOnce(visit, PATH, { ...input, id }, (tx) => {
    requireSelling(tx, by, { id }, { now });
    return () => {
      const faults: FieldErrors = {};
      const values = readFields(saleFields, input, faults);
      if (Object.keys(faults).length > 0)
        throw new DomainError("invalid", "look at the fields", { fields: faults });
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
    return refusedDrawer(visit, done, (refusal) => sellDrawer(visit, shown, typedIn(input), refusal));
  const { card: say } = view.words.cards;
  const number = cardNumber(id);
  const { payment } = done;
  const next = nextToSell(visit, shown.card, shown.batch);
  const onwards = next === undefined ? [] : [{ href: cardHref(next), label: say.next(cardNumber(next)) }];
  return said(
    visit,
    {
      kind: "good",
      title: payment
        ? say.sellDone(number, view.format.sum(payment.amount, payment.currency))
        : say.sellMarked(number),
      ...(payment && { text: say.receipt(payment.number) }),
      links: [
        ...(payment
          ? [{ href: `/console/money/payments/${payment.id}/receipt?paper=roll`, label: say.printReceipt }]
          : []),
        ...onwards,
      ],
    },
    cardHref(id),
  );
}
