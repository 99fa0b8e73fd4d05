import { cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { paymentById } from "../../../../domain/money/payments/find.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { cardLately } from "../../../../domain/service/cards/lately.ts";
import { cardById } from "../../../../domain/service/cards/list.ts";
import { printedBatch, printedNumber } from "../../../../domain/service/cards/print.ts";
import { makerIn } from "../../parts/device.tsx";
import { may } from "../../../../domain/core/actor/actor.ts";
import { attemptNow } from "../../attempt.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { drawer, page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { CardLogins, CardSessions } from "./card-lists.tsx";
import { Left } from "./left.tsx";
import { describeGives } from "../../parts/card-gives.ts";
import { ispView } from "../../parts/isp-view.ts";
import { readCardId } from "./paths.ts";
import { batchHref, cardHref } from "../../parts/hrefs.ts";
import { isPaid, maySell, nextToSell } from "./sells.ts";
import { type CardContext, judgeCard } from "./verdict.ts";

export function readContext(visit: StaffVisit): CardContext {
  const { db, by, now } = visit;
  const card = cardById(db, by, readCardId(visit), { now });
  const batch = cardBatchById(db, by, card.batchId, { now });
  return {
    card,
    batch,
    view: ispView(visit, batch.ispId),
    lately: cardLately(db, by, card),
  };
}

export function showCard(visit: StaffVisit): Response {
  const context = readContext(visit);
  const { card, batch, view } = context;
  const number = cardNumber(card.id);
  const { card: phrases } = view.words.cards;
  if (visit.isPart)
    return drawer(visit, {
      title: phrases.title(number),
      lead: printedNumber({ id: card.batchId }, card.serial),
      place: "cards",
      back: batchHref(batch.id),
      children: (
        <div class="drawer-body">
          <CardVerdictPart visit={visit} context={context} />
          <CardFacts visit={visit} context={context} />
        </div>
      ),
    });
  return page(
    visit,
    <Frame
      visit={visit}
      title={phrases.title(number)}
      place="cards"
      back={{ href: batchHref(batch.id), label: view.words.cards.batch.title(printedBatch(batch)) }}
    >
      <div class="page-head">
        <h1>
          {phrases.title(number)}{" "}
          <span class="soft-text">{printedNumber({ id: card.batchId }, card.serial)}</span>
        </h1>
        <NextCard visit={visit} context={context} />
        <OtherActions visit={visit} context={context} />
      </div>
      <div class="split">
        <div>
          <CardVerdictPart visit={visit} context={context} />
          {batch.kind === "access" && <CardSessions visit={visit} context={context} />}
          {context.lately.logins.length > 0 && <CardLogins visit={visit} context={context} />}
        </div>
        <Card title={phrases.facts} aside={<AuditLogLink visit={visit} entity="card" entityId={card.id} />}>
          <CardFacts visit={visit} context={context} />
        </Card>
      </div>
    </Frame>,
  );
}

function CardVerdictPart({ visit, context }: { visit: StaffVisit; context: CardContext }) {
  const { view, card, batch } = context;
  const { card: phrases } = view.words.cards;
  const { tone, icon, title, text } = judgeCard(context);
  const isLocked = card.lockedMac !== null && card.standing === "active" && may(visit.by, "card_sell");
  const sells = card.standing === "new" && maySell(visit.by, batch);
  const price = isPaid(visit.by, batch) ? view.format.sum(batch.price, view.brand.currency) : undefined;
  const actions = (
    <>
      {sells && (
        <Button href={`${cardHref(card.id)}/sell`} kind="solid" size="large" dataKey="u" showKey="U" drawer>
          {price === undefined ? phrases.sellMark : phrases.sellFor(price)}
        </Button>
      )}
      {isLocked && (
        <Action
          action={`${cardHref(card.id)}/unlock`}
          formToken={visit.formToken}
          size="large"
          icon="unlock"
          dataKey="u"
        >
          {phrases.unlock}
        </Action>
      )}
    </>
  );
  return (
    <Verdict
      tone={tone}
      icon={icon}
      title={title}
      text={text}
      label={phrases.label}
      {...((sells || isLocked) && { actions })}
      {...(isLocked && { hint: phrases.unlockHint })}
    >
      <Left context={context} />
    </Verdict>
  );
}

/** The next card to sell, where this one is sold. */
function NextCard({ visit, context: { view, card, batch } }: { visit: StaffVisit; context: CardContext }) {
  const next = card.standing === "new" ? undefined : nextToSell(visit, card, batch);
  if (next === undefined) return null;
  return (
    <Button href={cardHref(next)} icon="forward" dataKey="j" showKey="J">
      {view.words.cards.card.next(cardNumber(next))}
    </Button>
  );
}

function OtherActions({
  visit: { by },
  context: { view, card },
}: {
  visit: StaffVisit;
  context: CardContext;
}) {
  const { card: phrases } = view.words.cards;
  const isVoid = card.state === "void";
  const prints = may(by, "card_make") && !isVoid;
  const voids = may(by, "card_void") && !isVoid;
  if (!prints && !voids) return null;
  return (
    <div class="actions">
      {prints && (
        <Button href={`${cardHref(card.id)}/print`} icon="print">
          {phrases.print}
        </Button>
      )}
      {voids && (
        <Button href={`${cardHref(card.id)}/void`} kind="danger" drawer>
          {phrases.void}
        </Button>
      )}
    </div>
  );
}

/** A branch may not see a payment that another took. */
const seesPayment = (visit: StaffVisit, id: number): boolean =>
  !(attemptNow(visit, () => paymentById(visit.db, visit.by, id)) instanceof DomainError);

function CardFacts({ visit, context }: { visit: StaffVisit; context: CardContext }) {
  const { view, card, batch, lately } = context;
  const { format, words, brand } = view;
  const { card: phrases } = words.cards;
  const time = (at: number | null) => (at === null ? null : format.time(at));
  const { payment } = lately;
  const ofBound = (used: string, bound: string | null) =>
    bound === null ? used : phrases.ofBound(used, bound);
  const isAccess = batch.kind === "access" && card.firstUsedAt !== null;
  return (
    <Facts
      facts={[
        [phrases.batch, <a href={batchHref(batch.id)}>{printedBatch(batch)}</a>],
        [phrases.gives, describeGives(view, batch).join(view.words.list.comma)],
        [phrases.price, format.sum(batch.price, brand.currency)],
        [phrases.reseller, batch.resellerName === null ? null : <bdi>{batch.resellerName}</bdi>],
        [phrases.charged, batch.resellerId === null ? null : time(card.chargedAt)],
        [
          phrases.sold,
          card.soldAt === null ? null : phrases.soldBy(format.time(card.soldAt), card.sellerName ?? ""),
        ],
        [
          phrases.paid,
          payment && (
            <>
              {seesPayment(visit, payment.id) ? (
                <a href={`/console/money/payments/${payment.id}`}>{payment.number}</a>
              ) : (
                payment.number
              )}{" "}
              {phrases.paidBy(
                format.sum(payment.amount, payment.currency),
                words.pay.methodName(payment.method),
              )}
              {payment.reversedAt !== null && `, ${phrases.reversed}`}
            </>
          ),
        ],
        [phrases.firstUsed, time(card.firstUsedAt)],
        [phrases.ends, time(card.endsAt)],
        [
          phrases.usedTime,
          isAccess
            ? ofBound(
                format.duration(card.usedSeconds),
                batch.uptimeSeconds === null ? null : format.duration(batch.uptimeSeconds),
              )
            : null,
        ],
        [
          phrases.usedData,
          isAccess
            ? ofBound(
                format.bytes(card.usedOctets),
                batch.quotaTotal === 0 ? null : format.bytes(batch.quotaTotal),
              )
            : null,
        ],
        [
          phrases.lockedTo,
          card.lockedMac === null ? null : (
            <>
              <span class="mono">{card.lockedMac}</span> {makerIn(view.words, card.lockedMac)}
            </>
          ),
        ],
        [
          phrases.redeemedBy,
          card.redeemedBy === null ? null : (
            <a href={`/console/subscribers/${card.redeemedBy}`}>
              <bdi>{card.redeemerName}</bdi>
            </a>
          ),
        ],
      ]}
    />
  );
}
