import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { endAllCardSessions } from "../../../../domain/service/enforcement/end-sessions.ts";
import { unlockCard } from "../../../../domain/service/cards/unlock.ts";
import { voidCard } from "../../../../domain/desk/card-sales/void.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { readContext } from "./card.tsx";
import { readCardId } from "./paths.ts";
import { cardHref, CARDS } from "../../parts/hrefs.ts";
import { readReason, reasonField } from "./reason.tsx";
import type { CardContext } from "./verdict.ts";

export async function unlock(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const id = readCardId(visit);
  const { card: phrases } = view.words.cards;
  const done = await attempt(visit, async () => unlockCard(db, by, { id }, { now }));
  if (!(done instanceof DomainError))
    return flash(
      visit,
      { kind: "good", title: phrases.unlocked(cardNumber(id)), text: phrases.unlockedText },
      cardHref(id),
    );
  if (done.kind === "not_found" || done.kind === "forbidden") throw done;
  return flash(visit, { kind: "bad", title: phrases.notUnlocked, text: done.message }, cardHref(id));
}

export const cardVoid = form({
  path: `${CARDS}/:id/void`,
  of: (visit) => {
    requireFlag(visit.by, "card_void");
    return readContext(visit);
  },
  content: (_, context) => {
    const { view, card } = context;
    const { card: phrases } = view.words.cards;
    return {
      title: phrases.voidTitleOf(cardNumber(card.id)),
      place: "cards",
      back: cardHref(card.id),
      ...(card.state !== "void" && { submit: phrases.voidPress }),
      danger: true,
      text: (
        <>
          <p>{card.state === "active" ? phrases.voidActive : phrases.voidNew}</p>
          {listConsequences(context).map((text) => (
            <p>{text}</p>
          ))}
        </>
      ),
      fields: [reasonField(view)],
    };
  },
  save: ({ db, by, now }, { card: { id } }, values) =>
    voidCard(db, by, { id, reason: readReason(values) }, { now }),
  done: async ({ db, by, needs }, { payment, givenBack }, { view, card: { id }, batch }) => {
    const { ended, failures } = await endAllCardSessions(db, by, { cardId: id }, needs);
    const { card: phrases } = view.words.cards;
    const { format, brand } = view;
    const who = format.name(batch.resellerName ?? "");
    const text = [
      ...(payment ? [phrases.handBack(format.sum(payment.amount, payment.currency))] : []),
      ...(givenBack > 0 ? [phrases.gaveBack(who, format.sum(givenBack, brand.currency))] : []),
      ...(ended > 0 ? [phrases.ended(ended)] : []),
      ...(failures.length > 0
        ? [phrases.notEnded(failures.slice(0, 3).join(view.words.list.semicolon))]
        : []),
    ];
    return {
      kind: failures.length > 0 ? "bad" : "good",
      title: phrases.voidDone(cardNumber(id)),
      text: text.length > 0 ? text.join(" ") : phrases.voidNoMoney,
    };
  },
});

/** Consequences for money and sessions. */
function listConsequences({ view, card, batch, lately }: CardContext): string[] {
  const { card: phrases } = view.words.cards;
  const { format, brand } = view;
  if (card.state === "active") {
    const open = lately.sessions.filter(({ stoppedAt }) => stoppedAt === null);
    const where = [...new Set(open.map(({ nasName }) => format.name(nasName)))].join(view.words.list.comma);
    return card.online > 0 ? [phrases.voidSessions(card.online, where)] : [];
  }
  const { payment } = lately;
  const own = batch.resellerPrice ?? 0;
  const sentences: string[] = [];
  if (payment)
    sentences.push(phrases.voidBuyer(format.sum(payment.amount, payment.currency), payment.number));
  if (card.chargedAt !== null && own > 0)
    sentences.push(
      phrases.voidReseller(format.name(batch.resellerName ?? ""), format.sum(own, brand.currency)),
    );
  return sentences.length > 0 ? sentences : [phrases.voidNoMoney];
}
