import type { Db } from "../../../db/open.ts";
import { BalanceTooLow } from "../../domain/service/activation/plan.ts";
import { readBalance } from "../../domain/core/amounts/balance.ts";
import {
  ownCards,
  type OwnCard,
  previewOwnCard,
  redeemOwn,
  type RedeemPreview,
} from "../../domain/service/cards/redeem.ts";
import { MAX_LENGTH } from "../../domain/service/cards/redeem-plan.ts";
import { CardRefusal } from "../../domain/service/cards/refusal.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import { isCutOff, type Line, readLine } from "../../domain/desk/portal/line.ts";
import { planRenewal, type Renewal } from "../../domain/desk/portal/renewal.ts";
import type { Actor } from "../../domain/core/actor/actor.ts";
import type { Subscriber } from "../../domain/goods/subscribers/find.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import type { CardGuesses } from "../card-guesses.ts";
import { attempt } from "../pages/attempt.ts";
import { seeOther } from "../pages/respond.tsx";
import { readTextField } from "../pages/text-of.ts";
import { targetQuery } from "../target.ts";
import type { View } from "./layout.tsx";

export const CARD = "/portal/card";
export const REDEEM = "/portal/card/redeem";

/** A visitor signed in to the portal, or known by the line. */
export interface CardVisit {
  readonly db: Db;
  readonly subscriber: Subscriber;
  readonly by: Actor;
  readonly view: View;
  readonly now: Seconds;
  readonly source: string;
  readonly guesses: CardGuesses;
  /** Called where an open session has yet to change. */
  readonly renewed: (subscriber: Subscriber) => void;
}

export interface LineOff {
  readonly line: Line;
  readonly renewal: Renewal;
}

export interface CardState {
  readonly problem?: string;
  /** Kept where it may be corrected; else empty. */
  readonly code?: string;
  readonly preview?: { readonly code: string; readonly does: RedeemPreview };
  readonly done?: OwnCard;
  /** A line still off after a refill. */
  readonly off?: LineOff;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A preview of the card, or its refusal. */
export async function checkedCard(visit: CardVisit, input: Input): Promise<CardState> {
  const { db, by, subscriber, now } = visit;
  const code = readTextField(input, "code", MAX_LENGTH).trim();
  if (code === "") return { status: 422, problem: visit.view.words.card.empty };
  const requested = { subscriberId: subscriber.id, code };
  const does = await attempt(async () => counted(visit, () => previewOwnCard(db, by, requested, { now })));
  return does instanceof DomainError ? refusal(visit, code, does) : { preview: { code, does } };
}

/** Redeems; a repeated press shows the same result. */
export async function redeemedCard(visit: CardVisit, input: Input): Promise<CardState | Response> {
  const { db, by, subscriber, now } = visit;
  const code = readTextField(input, "code", MAX_LENGTH).trim();
  const requested = { subscriberId: subscriber.id, code };
  const done = await attempt(async () => counted(visit, () => redeemOwn(db, by, requested, { now })));
  if (!(done instanceof DomainError)) {
    if (done.activated) visit.renewed(subscriber);
    return seeOther(`${CARD}?card=${done.cardId}`);
  }
  const { cardId = 0, isOwn, at } = done instanceof CardRefusal ? done.about : {};
  const isAgain = isOwn === true && now - (at ?? 0) < RECENT;
  return isAgain ? seeOther(`${CARD}?card=${cardId}`) : refusal(visit, code, done);
}

function counted<T>({ guesses, subscriber, source }: CardVisit, work: () => T): T {
  return guesses.count(
    { holder: `subscriber ${subscriber.id}`, ispId: subscriber.ispId, address: source },
    work,
  );
}

/** Seconds for which a result is shown. */
const RECENT = 3600;

/** `?card=7`: a recent result of this subscriber. */
export function cardState({ db, by, subscriber, now }: CardVisit, request: Request): CardState {
  const id = Number(new URLSearchParams(targetQuery(request)).get("card"));
  const done = ownCards(db, by, subscriber.id).find(({ cardId, at }) => cardId === id && now - at < RECENT);
  if (!done) return {};
  const line = readLine(db, by, subscriber, { now });
  const isOff = done.packageName === null && (line.status === "expired" || isCutOff(line));
  return { done, ...(isOff && { off: { line, renewal: planRenewal(db, by, { subscriber, line }) } }) };
}

/** The refusal in the subscriber's words. */
function refusal({ db, subscriber, view }: CardVisit, text: string, error: DomainError): CardState {
  const { words, format, brand } = view;
  const { card } = words;
  const { kind, retryAfter = 1 } = error;
  const when = (at: Seconds | null | undefined) => format.time(at ?? 0);
  if (error instanceof CardRefusal) {
    const { why, about } = error;
    switch (why) {
      case "unknown":
        return { status: 422, problem: card.unknown, code: text };
      case "used":
        return {
          status: 422,
          problem: about.isOwn ? card.usedByYou(when(about.at)) : card.used(when(about.at)),
        };
      case "expired":
        return { status: 422, problem: card.expired(when(about.at)) };
      default:
        return { status: 422, problem: card[why] };
    }
  }
  if (kind === "too_soon") {
    const headers = { "retry-after": String(retryAfter) };
    const problem = error.message.startsWith("too many") ? words.signIn.tooMany(retryAfter) : card.tooSoon;
    return { status: 429, headers, problem, code: text };
  }
  const balance = error instanceof BalanceTooLow ? readBalance(db, { subscriberId: subscriber.id }) : 0;
  const problem = balance < 0 ? card.debt(format.money(-balance, brand.currency)) : card.cannot;
  return { status: 422, problem };
}
