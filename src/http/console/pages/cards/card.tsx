import { cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { paymentById } from "../../../../domain/money/payments/find.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { cardLately } from "../../../../domain/service/cards/lately.ts";
import { cardById } from "../../../../domain/service/cards/list.ts";
import { paperBatch, paperNumber } from "../../../../domain/service/cards/print.ts";
import { makerOf } from "../../../../domain/goods/devices/maker.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { attemptNow } from "../../attempt.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { drawer, page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { TrailLink } from "../trail/link.tsx";
import { CardLogins, CardSessions } from "./card-lists.tsx";
import { Left } from "./left.tsx";
import { givesOf } from "./gives.ts";
import { viewOf } from "./of-isp.ts";
import { batchHref, cardHref, cardIdOf } from "./paths.ts";
import { isPaid, nextToSell, sellsOf } from "./sells.ts";
import { type Shown, verdictOf } from "./verdict.ts";

/** The card that a path names, with all that is known of it. Throws `not_found`. */
export function shownOf(visit: StaffVisit): Shown {
  const { db, by, now } = visit;
  const card = cardById(db, by, cardIdOf(visit), { now });
  const batch = cardBatchById(db, by, card.batchId, { now });
  return {
    ...{ card, batch, view: viewOf(visit, batch.ispId) },
    lately: cardLately(db, by, { id: card.id }, { now }),
  };
}

/** One card: how it stands, and what it has been through; beside another page without its lists. */
export function showCard(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { card, batch, view } = shown;
  const number = cardNumber(card.id);
  const { card: say } = view.words.cards;
  if (visit.isPart)
    return drawer(visit, {
      title: say.title(number),
      lead: paperNumber({ id: card.batchId }, card.serial),
      place: "cards",
      back: batchHref(batch.id),
      children: (
        <div class="drawer-body">
          <CardVerdictPart visit={visit} shown={shown} />
          <CardFacts visit={visit} shown={shown} />
        </div>
      ),
    });
  return page(
    visit,
    <Frame
      {...{ visit, title: say.title(number), place: "cards" }}
      back={{ href: batchHref(batch.id), label: view.words.cards.batch.title(paperBatch(batch)) }}
    >
      <div class="page-head">
        <h1>
          {say.title(number)} <span class="soft-text">{paperNumber({ id: card.batchId }, card.serial)}</span>
        </h1>
        <NextCard visit={visit} shown={shown} />
        <OtherActions visit={visit} shown={shown} />
      </div>
      <div class="columns">
        <div>
          <CardVerdictPart visit={visit} shown={shown} />
          {batch.kind === "access" && <CardSessions shown={shown} />}
          {shown.lately.logins.length > 0 && <CardLogins visit={visit} shown={shown} />}
        </div>
        <Card title={say.facts} aside={<TrailLink visit={visit} entity="card" entityId={card.id} />}>
          <CardFacts visit={visit} shown={shown} />
        </Card>
      </div>
    </Frame>,
  );
}

/** How it stands, with the next best step. */
function CardVerdictPart({ visit, shown }: { visit: StaffVisit; shown: Shown }) {
  const { view, card, batch } = shown;
  const { card: say } = view.words.cards;
  const { tone, icon, title, text } = verdictOf(shown);
  const isLocked = card.lockedMac !== null && card.standing === "active" && may(visit.by, "card_sell");
  const sells = card.standing === "new" && sellsOf(visit.by, batch);
  const price = isPaid(visit.by, batch) ? view.format.sum(batch.price, view.brand.currency) : undefined;
  const actions = (
    <>
      {sells && (
        <Button href={`${cardHref(card.id)}/sell`} kind="solid" size="large" dataKey="u" showKey="U" drawer>
          {price === undefined ? say.sellMark : say.sellFor(price)}
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
          {say.unlock}
        </Action>
      )}
    </>
  );
  return (
    <Verdict
      {...{ tone, icon, title, text }}
      label={say.label}
      {...((sells || isLocked) && { actions })}
      {...(isLocked && { hint: say.unlockHint })}
    >
      <Left shown={shown} />
    </Verdict>
  );
}

/** The way on at the counter: the next card of the batch that can be sold, where this one is. */
function NextCard({ visit, shown: { view, card, batch } }: { visit: StaffVisit; shown: Shown }) {
  const next = card.standing === "new" ? undefined : nextToSell(visit, card, batch);
  if (next === undefined) return null;
  return (
    <Button href={cardHref(next)} icon="forward" dataKey="j" showKey="J">
      {view.words.cards.card.next(cardNumber(next))}
    </Button>
  );
}

function OtherActions({ visit: { by }, shown: { view, card } }: { visit: StaffVisit; shown: Shown }) {
  const { card: say } = view.words.cards;
  const isVoid = card.state === "void";
  const prints = may(by, "card_make") && !isVoid;
  const voids = may(by, "card_void") && !isVoid;
  if (!prints && !voids) return null;
  return (
    <div class="actions">
      {prints && (
        <Button href={`${cardHref(card.id)}/print`} icon="print">
          {say.print}
        </Button>
      )}
      {voids && (
        <Button href={`${cardHref(card.id)}/void`} kind="danger" drawer>
          {say.void}
        </Button>
      )}
    </div>
  );
}

/** What somebody else took may be out of reach of a branch. */
const seesPayment = (visit: StaffVisit, id: number): boolean =>
  !(attemptNow(visit, () => paymentById(visit.db, visit.by, id)) instanceof DomainError);

function CardFacts({ visit, shown }: { visit: StaffVisit; shown: Shown }) {
  const { view, card, batch, lately } = shown;
  const { format, words, brand } = view;
  const { card: say } = words.cards;
  const time = (at: number | null) => (at === null ? null : format.time(at));
  const { payment } = lately;
  const ofBound = (used: string, bound: string | null) => (bound === null ? used : say.ofBound(used, bound));
  const isAccess = batch.kind === "access" && card.firstUsedAt !== null;
  return (
    <Facts
      facts={[
        [say.batch, <a href={batchHref(batch.id)}>{paperBatch(batch)}</a>],
        [say.gives, givesOf(view, batch).join(", ")],
        [say.price, format.sum(batch.price, brand.currency)],
        [say.reseller, batch.resellerName === null ? null : <bdi>{batch.resellerName}</bdi>],
        [say.charged, batch.resellerId === null ? null : time(card.chargedAt)],
        [say.sold, card.soldAt === null ? null : say.soldBy(format.time(card.soldAt), card.sellerName ?? "")],
        [
          say.paid,
          payment && (
            <>
              {seesPayment(visit, payment.id) ? (
                <a href={`/console/money/payments/${payment.id}`}>{payment.number}</a>
              ) : (
                payment.number
              )}{" "}
              {say.paidBy(format.sum(payment.amount, payment.currency), words.pay.methodName(payment.method))}
              {payment.reversedAt !== null && `, ${say.reversed}`}
            </>
          ),
        ],
        [say.firstUsed, time(card.firstUsedAt)],
        [say.ends, time(card.endsAt)],
        [
          say.usedTime,
          isAccess
            ? ofBound(
                format.duration(card.usedSeconds),
                batch.uptimeSeconds === null ? null : format.duration(batch.uptimeSeconds),
              )
            : null,
        ],
        [
          say.usedData,
          isAccess
            ? ofBound(
                format.bytes(card.usedOctets),
                batch.quotaTotal === 0 ? null : format.bytes(batch.quotaTotal),
              )
            : null,
        ],
        [
          say.lockedTo,
          card.lockedMac === null ? null : (
            <>
              <span class="mono">{card.lockedMac}</span> {makerOf(card.lockedMac)}
            </>
          ),
        ],
        [
          say.redeemedBy,
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
