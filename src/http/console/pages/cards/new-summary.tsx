import { readBalance } from "../../../../domain/core/amounts/balance.ts";
import type { NewBatch } from "../../../../domain/service/cards/batches.ts";
import { printedCode } from "../../../../domain/goods/codes/codes.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { describeGives } from "../../parts/card-gives.ts";
import { hashPlan, type Making } from "./new-values.ts";
import { ispView } from "../../parts/isp-view.ts";
import { CARDS } from "../../parts/hrefs.ts";

interface SummaryProps {
  visit: StaffVisit;
  making: Making;
  /** Undefined: a field is invalid. */
  plan: NewBatch | undefined;
  /** Whether the length of codes was typed. */
  asksLength: boolean;
}

/** What will be made, in a sentence, above the button that makes it. */
export function Summary({ visit, making, plan, asksLength }: SummaryProps) {
  const view = plan ? ispView(visit, plan.ispId) : visit.view;
  const { making: phrases } = view.words.cards;
  return (
    <div id="told" aria-live="polite">
      <Card title={phrases.told}>
        {plan ? (
          <>
            <p class="strong">{describePlan(view, making, plan)}</p>
            <ul class="stack close after">
              {describeMore(visit, view, making, plan).map((text) => (
                <li class="hint">{text}</li>
              ))}
            </ul>
            <input type="hidden" name="told" value={hashPlan(plan, asksLength)} />
          </>
        ) : (
          <p class="hint">{phrases.later}</p>
        )}
        <div class="actions">
          <Button kind="solid" size="large">
            {plan ? phrases.press(plan.quantity) : phrases.goOn}
          </Button>
          <Button href={CARDS} size="large">
            {phrases.cancel}
          </Button>
        </div>
      </Card>
    </div>
  );
}

/** `210 cards of 1 hour, from the first login, one device, 1.00 each; Maya’s wallet pays 168.00 now.` */
export function describePlan(view: ConsoleView, making: Making, plan: NewBatch): string {
  const { making: phrases } = view.words.cards;
  const { format, brand } = view;
  const { quantity, price } = plan;
  const [first = "", ...more] = describeGives(view, toTerms(making, plan));
  const cards = phrases.cardsOf(quantity, first);
  const each = plan.kind === "refill" ? [] : [phrases.each(format.sum(price, brand.currency))];
  return phrases.sentence([cards, ...more, ...each], describeMoney(view, making, plan));
}

function describeMoney({ words, format, brand }: ConsoleView, making: Making, plan: NewBatch): string {
  const { making: phrases } = words.cards;
  const who = findReseller(making, plan);
  const sum = (minor: number) => format.sum(minor, brand.currency);
  if (!who) return phrases.stay(sum(plan.price * plan.quantity));
  const name = format.name(who.name);
  const own = plan.resellerPrice ?? 0;
  if (own === 0) return phrases.paysNothing(name);
  return plan.chargeOn === "handover"
    ? phrases.paysNow(name, sum(own * plan.quantity))
    : phrases.paysLater(name, sum(own));
}

const findReseller = ({ choices }: Making, { resellerId }: NewBatch) =>
  choices.resellers.find(({ id }) => id === resellerId);

function describeMore({ db, by }: StaffVisit, view: ConsoleView, making: Making, plan: NewBatch): string[] {
  const { making: phrases } = view.words.cards;
  const { format, brand } = view;
  const { prefix = "", length, alphabet, sellBy, needsSale, chargeOn, resellerPrice, quantity } = plan;
  const who = findReseller(making, plan);
  const sentences: string[] = [];
  if (who && chargeOn === "handover" && may(by, "wallet_view")) {
    const before = readBalance(db, { staffId: who.id });
    const after = before - (resellerPrice ?? 0) * quantity;
    sentences.push(
      phrases.walletAfter(
        format.name(who.name),
        format.sum(before, brand.currency),
        format.sum(after, brand.currency),
      ),
    );
  }
  if (needsSale === 1) sentences.push(phrases.needsSaleTold);
  if (sellBy) sentences.push(phrases.soldBy(format.date(sellBy)));
  if (length && alphabet) {
    const symbols = alphabet.length > 10 ? "7K" : "74";
    const example = printedCode(prefix + symbols.repeat(length).slice(0, length));
    sentences.push(phrases.codesAre(prefix.length + length, example));
  }
  return sentences;
}

/** A plan lacks the defaults of the store. */
function toTerms({ sold }: Making, plan: NewBatch) {
  return {
    kind: plan.kind,
    price: plan.price,
    packageName: sold?.name ?? null,
    duration: plan.duration ?? null,
    durationUnit: plan.durationUnit ?? null,
    uptimeSeconds: plan.uptimeSeconds ?? null,
    quotaTotal: plan.quotaTotal ?? 0,
    simultaneousUse: plan.simultaneousUse ?? 1,
    lockFirstDevice: plan.lockFirstDevice ?? (0 as const),
  };
}
