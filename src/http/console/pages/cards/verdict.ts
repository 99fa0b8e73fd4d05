import type { CardLately } from "../../../../domain/service/cards/lately.ts";
import type { CardRecord } from "../../../../domain/service/cards/list.ts";
import type { BatchRecord } from "../../../../domain/service/cards/batch-list.ts";
import type { IconName } from "../../../pages/icons.tsx";
import type { ConsoleView } from "../../view.ts";

export interface CardContext {
  readonly view: ConsoleView;
  readonly card: CardRecord;
  readonly batch: BatchRecord;
  readonly lately: CardLately;
}

export interface CardVerdict {
  readonly tone: "good" | "warn" | "bad" | "quiet";
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

export function judgeCard(context: CardContext): CardVerdict {
  const { text, ...verdict } = standingVerdict(context);
  return { ...verdict, text: sentences(text, refusedLately(context)) };
}

/** Why its last try was refused. */
function refusedLately({ view, card, lately }: CardContext): string | false {
  const [last] = lately.logins;
  if (!last || last.accepted === 1) return false;
  const isFixed = last.at < (card.soldAt ?? 0) || (last.reason === "mac_locked" && card.lockedMac === null);
  if (isFixed) return false;
  const { words, format, now } = view;
  return words.cards.card.lastRefused(format.near(last.at, now), words.diagnosis.reasonOf(last.reason));
}

function standingVerdict(context: CardContext): CardVerdict {
  switch (context.card.standing) {
    case "new":
      return ofNew(context);
    case "sold":
      return ofSold(context);
    case "active":
      return ofActive(context);
    case "used_up":
      return ofUsedUp(context);
    case "expired":
      return ofExpired(context);
    case "void":
      return ofVoid(context);
  }
}

const sentences = (...parts: readonly (string | false)[]) => parts.filter(Boolean).join(" ");

function ofNew({ view, batch }: CardContext): CardVerdict {
  const { card: phrases } = view.words.cards;
  const { sellBy, needsSale, kind, resellerName } = batch;
  return {
    tone: "quiet",
    icon: "card",
    title: phrases.newTitle,
    text: sentences(
      kind !== "access" ? phrases.redeems[kind] : needsSale === 1 ? phrases.newNeedsSale : phrases.newWorks,
      resellerName !== null && phrases.heldBy(view.format.name(resellerName)),
      sellBy !== null && phrases.sellBy(view.format.date(sellBy)),
    ),
  };
}

function ofSold({ view, card, batch }: CardContext): CardVerdict {
  const { card: phrases } = view.words.cards;
  const when = view.format.near(card.soldAt ?? 0, view.now);
  return {
    tone: "good",
    icon: "check",
    title: phrases.soldTitle(when, view.format.name(card.sellerName ?? "")),
    text: sentences(
      batch.kind === "access" ? phrases.soldText : phrases.redeems[batch.kind],
      batch.useBy !== null && phrases.useBy(view.format.date(batch.useBy)),
    ),
  };
}

function ofActive(context: CardContext): CardVerdict {
  const { view, card, batch, lately } = context;
  if (card.redeemedBy !== null) return ofRedeemed(context);
  const { card: phrases } = view.words.cards;
  const { format, now } = view;
  const open = lately.sessions.filter(({ stoppedAt }) => stoppedAt === null);
  const places = [...new Set(open.map(({ nasName }) => format.name(nasName)))].join(view.words.list.comma);
  const parts = [
    phrases.activeSince(format.near(card.firstUsedAt ?? 0, now)),
    ...listLeft(context),
    card.online > 0 ? phrases.online(card.online, places) : phrases.offline,
  ];
  return {
    tone: "good",
    icon: "sessions",
    title: phrases.activeTitle(parts),
    text: card.endsAt === null ? phrases.noEnd : phrases.endsText(endWords(view, card.endsAt)),
    ...(batch.kind === "refill" && { text: "" }),
  };
}

function endWords({ format, now }: ConsoleView, at: number): string {
  return format.isSameDay(at, now) ? format.timeOfDay(at) : format.time(at);
}

/** `38 min left`: each limit that it has. */
function listLeft({ view: { words, format, now }, card, batch }: CardContext): string[] {
  const { card: phrases } = words.cards;
  const { uptimeSeconds, quotaTotal } = batch;
  return [
    ...(card.endsAt === null ? [] : [phrases.left(format.duration(Math.max(0, card.endsAt - now)))]),
    ...(uptimeSeconds === null
      ? []
      : [phrases.onlineLeft(format.duration(Math.max(0, uptimeSeconds - card.usedSeconds)))]),
    ...(quotaTotal === 0 ? [] : [phrases.dataLeft(format.bytes(Math.max(0, quotaTotal - card.usedOctets)))]),
  ];
}

function ofRedeemed({ view, card, batch }: CardContext): CardVerdict {
  const { card: phrases } = view.words.cards;
  const { format, brand, now } = view;
  return {
    tone: "good",
    icon: "check",
    title: phrases.redeemedTitle(
      format.near(card.firstUsedAt ?? 0, now),
      format.name(card.redeemerName ?? ""),
    ),
    text:
      batch.kind === "refill"
        ? phrases.redeemedRefill(format.sum(batch.price, brand.currency))
        : phrases.redeemedPackage(format.name(batch.packageName ?? "")),
  };
}

function ofUsedUp({ view, card, batch }: CardContext): CardVerdict {
  const { card: phrases } = view.words.cards;
  const { format, now } = view;
  const used = [
    ...(batch.uptimeSeconds === null ? [] : [format.duration(card.usedSeconds)]),
    ...(batch.quotaTotal === 0 ? [] : [format.bytes(card.usedOctets)]),
  ];
  return {
    tone: "quiet",
    icon: "history",
    title: phrases.usedUpTitle(card.usedUpAt === null ? "" : format.near(card.usedUpAt, now)),
    text: sentences(phrases.usedUpText(used), phrases.expiredText),
  };
}

function ofExpired({ view, card, batch }: CardContext): CardVerdict {
  const { card: phrases } = view.words.cards;
  const { format, now } = view;
  const title =
    card.state === "new"
      ? phrases.expiredNew(format.date(batch.sellBy ?? 0))
      : card.state === "sold"
        ? phrases.expiredSold(format.date(batch.useBy ?? 0))
        : phrases.expiredActive(format.near(card.endsAt ?? 0, now));
  const since = card.firstUsedAt === null ? false : phrases.lasted(format.near(card.firstUsedAt, now));
  return { tone: "quiet", icon: "history", title, text: sentences(since, phrases.expiredText) };
}

function ofVoid({ view, card, lately }: CardContext): CardVerdict {
  const { card: phrases } = view.words.cards;
  const { format, brand, now } = view;
  const { payment, voiderName } = lately;
  return {
    tone: "bad",
    icon: "close",
    title: phrases.voidTitle(format.near(card.voidedAt ?? 0, now), format.name(voiderName ?? "")),
    text: sentences(
      phrases.voidOpens,
      card.voidReason !== null && phrases.voidText(format.name(card.voidReason)),
      payment !== null &&
        payment.reversedAt !== null &&
        phrases.voidRefunded(format.sum(payment.amount, payment.currency || brand.currency)),
    ),
  };
}
