import { balanceOf } from "../../../../domain/core/amounts/balance.ts";
import type { NewBatch } from "../../../../domain/service/cards/batches.ts";
import { printedCode } from "../../../../domain/goods/codes/codes.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { givesOf } from "./gives.ts";
import { type Making, markOf } from "./new-typed.ts";
import { viewOf } from "./of-isp.ts";
import { CARDS } from "./paths.ts";

interface ToldProps {
  visit: StaffVisit;
  making: Making;
  /** Undefined: the fields cannot be read yet. */
  plan: NewBatch | undefined;
  /** Whether somebody said how long codes are. */
  asksLength: boolean;
}

/** What will be made, in a sentence, above the button that makes it. */
export function Told({ visit, making, plan, asksLength }: ToldProps) {
  const view = plan ? viewOf(visit, plan.ispId) : visit.view;
  const { making: say } = view.words.cards;
  return (
    <div id="told" aria-live="polite">
      <Card title={say.told}>
        {plan ? (
          <>
            <p class="told-sentence">{sentenceOf(view, making, plan)}</p>
            <ul class="told-more">
              {moreOf(visit, view, making, plan).map((text) => (
                <li class="hint">{text}</li>
              ))}
            </ul>
            <input type="hidden" name="told" value={markOf(plan, asksLength)} />
          </>
        ) : (
          <p class="hint">{say.later}</p>
        )}
        <div class="actions">
          <Button kind="solid" size="large">
            {plan ? say.press(view.format.number(plan.quantity), plan.quantity === 1) : say.goOn}
          </Button>
          <Button href={CARDS} size="large">
            {say.cancel}
          </Button>
        </div>
      </Card>
    </div>
  );
}

/** `210 cards of 1 hour, from the first login, one device, 1.00 each; Maya’s wallet pays 168.00 now.` */
export function sentenceOf(view: ConsoleView, making: Making, plan: NewBatch): string {
  const { making: say } = view.words.cards;
  const { format, brand } = view;
  const { quantity, price } = plan;
  const [first = "", ...more] = givesOf(view, givenBy(making, plan));
  const cards = say.cardsOf(format.number(quantity), quantity === 1, first);
  const each = plan.kind === "refill" ? [] : [say.each(format.sum(price, brand.currency))];
  return say.sentence([cards, ...more, ...each], moneyOf(view, making, plan));
}

function moneyOf({ words, format, brand }: ConsoleView, making: Making, plan: NewBatch): string {
  const { making: say } = words.cards;
  const who = resellerOf(making, plan);
  const sum = (minor: number) => format.sum(minor, brand.currency);
  if (!who) return say.stay(sum(plan.price * plan.quantity));
  const name = format.name(who.name);
  const own = plan.resellerPrice ?? 0;
  if (own === 0) return say.paysNothing(name);
  return plan.chargeOn === "handover"
    ? say.paysNow(name, sum(own * plan.quantity))
    : say.paysLater(name, sum(own));
}

const resellerOf = ({ choices }: Making, { resellerId }: NewBatch) =>
  choices.resellers.find(({ id }) => id === resellerId);

function moreOf({ db, by }: StaffVisit, view: ConsoleView, making: Making, plan: NewBatch): string[] {
  const { making: say } = view.words.cards;
  const { format, brand } = view;
  const { prefix = "", length, alphabet, sellBy, needsSale, chargeOn, resellerPrice, quantity } = plan;
  const who = resellerOf(making, plan);
  const told: string[] = [];
  if (who && chargeOn === "handover" && may(by, "wallet_view")) {
    const before = balanceOf(db, { staffId: who.id });
    const after = before - (resellerPrice ?? 0) * quantity;
    told.push(
      say.walletAfter(
        format.name(who.name),
        format.sum(before, brand.currency),
        format.sum(after, brand.currency),
      ),
    );
  }
  if (needsSale === 1) told.push(say.needsSaleTold);
  if (sellBy) told.push(say.soldBy(format.date(sellBy)));
  if (length && alphabet) {
    const symbols = alphabet.length > 10 ? "7K" : "74";
    const example = printedCode(prefix + symbols.repeat(length).slice(0, length));
    told.push(say.codesAre(format.number(prefix.length + length), example));
  }
  return told;
}

/** What is not written yet has no defaults of the store. */
function givenBy({ sold }: Making, plan: NewBatch) {
  return {
    ...{ kind: plan.kind, price: plan.price, packageName: sold?.name ?? null },
    ...{ duration: plan.duration ?? null, durationUnit: plan.durationUnit ?? null },
    ...{ uptimeSeconds: plan.uptimeSeconds ?? null, quotaTotal: plan.quotaTotal ?? 0 },
    simultaneousUse: plan.simultaneousUse ?? 1,
    lockFirstDevice: plan.lockFirstDevice ?? (0 as const),
  };
}
