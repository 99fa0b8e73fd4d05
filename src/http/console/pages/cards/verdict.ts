import type { CardLately } from "../../../../domain/service/cards/lately.ts";
import type { CardRecord } from "../../../../domain/service/cards/list.ts";
import type { BatchRecord } from "../../../../domain/service/cards/batch-list.ts";
import type { IconName } from "../../../pages/icons.tsx";
import type { ConsoleView } from "../../view.ts";

/** What a verdict on a card is written from. */
export interface Shown {
  readonly view: ConsoleView;
  readonly card: CardRecord;
  readonly batch: BatchRecord;
  readonly lately: CardLately;
}

/** How a card stands: a sentence, and why. */
export interface CardVerdict {
  readonly tone: "good" | "warn" | "bad" | "quiet";
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

/** The one of its standing. */
export function verdictOf(shown: Shown): CardVerdict {
  const { text, ...verdict } = standingVerdict(shown);
  return { ...verdict, text: sentences(text, refusedLately(shown)) };
}

/** Why it was refused where it was tried last. */
function refusedLately({ view, card, lately }: Shown): string | false {
  const [last] = lately.logins;
  if (!last || last.accepted === 1) return false;
  const isMended = last.at < (card.soldAt ?? 0) || (last.reason === "mac_locked" && card.lockedMac === null);
  if (isMended) return false;
  const { words, format, now } = view;
  return words.cards.card.lastRefused(format.near(last.at, now), words.matter.reasonOf(last.reason));
}

function standingVerdict(shown: Shown): CardVerdict {
  switch (shown.card.standing) {
    case "new":
      return ofNew(shown);
    case "sold":
      return ofSold(shown);
    case "active":
      return ofActive(shown);
    case "used_up":
      return ofUsedUp(shown);
    case "expired":
      return ofExpired(shown);
    case "void":
      return ofVoid(shown);
  }
}

const sentences = (...parts: readonly (string | false)[]) => parts.filter(Boolean).join(" ");

function ofNew({ view, batch }: Shown): CardVerdict {
  const { card: say } = view.words.cards;
  const { sellBy, needsSale, kind, resellerName } = batch;
  return {
    ...{ tone: "quiet", icon: "card", title: say.newTitle },
    text: sentences(
      kind !== "access" ? say.redeems[kind] : needsSale === 1 ? say.newNeedsSale : say.newWorks,
      resellerName !== null && say.heldBy(view.format.name(resellerName)),
      sellBy !== null && say.sellBy(view.format.date(sellBy)),
    ),
  };
}

function ofSold({ view, card, batch }: Shown): CardVerdict {
  const { card: say } = view.words.cards;
  const when = view.format.near(card.soldAt ?? 0, view.now);
  return {
    ...{ tone: "good", icon: "check" },
    title: say.soldTitle(when, view.format.name(card.sellerName ?? "")),
    text: sentences(
      batch.kind === "access" ? say.soldText : say.redeems[batch.kind],
      batch.useBy !== null && say.useBy(view.format.date(batch.useBy)),
    ),
  };
}

function ofActive(shown: Shown): CardVerdict {
  const { view, card, batch, lately } = shown;
  if (card.redeemedBy !== null) return ofRedeemed(shown);
  const { card: say } = view.words.cards;
  const { format, now } = view;
  const open = lately.sessions.filter(({ stoppedAt }) => stoppedAt === null);
  const places = [...new Set(open.map(({ nasName }) => format.name(nasName)))].join(", ");
  const parts = [
    say.activeSince(format.near(card.firstUsedAt ?? 0, now)),
    ...leftOf(shown),
    card.online > 0 ? say.online(card.online, places) : say.offline,
  ];
  return {
    ...{ tone: "good", icon: "sessions", title: say.activeTitle(parts) },
    text: card.endsAt === null ? say.noEnd : say.endsText(endWords(view, card.endsAt)),
    ...(batch.kind === "refill" && { text: "" }),
  };
}

function endWords({ format, now }: ConsoleView, at: number): string {
  return format.isSameDay(at, now) ? format.timeOfDay(at) : format.time(at);
}

/** `38 min left`: of the clock, the time online and the data, as far as each ends it. */
function leftOf({ view: { words, format, now }, card, batch }: Shown): string[] {
  const { card: say } = words.cards;
  const { uptimeSeconds, quotaTotal } = batch;
  return [
    ...(card.endsAt === null ? [] : [say.left(format.duration(Math.max(0, card.endsAt - now)))]),
    ...(uptimeSeconds === null
      ? []
      : [say.onlineLeft(format.duration(Math.max(0, uptimeSeconds - card.usedSeconds)))]),
    ...(quotaTotal === 0 ? [] : [say.dataLeft(format.bytes(Math.max(0, quotaTotal - card.usedOctets)))]),
  ];
}

function ofRedeemed({ view, card, batch }: Shown): CardVerdict {
  const { card: say } = view.words.cards;
  const { format, brand, now } = view;
  return {
    ...{ tone: "good", icon: "check" },
    title: say.redeemedTitle(format.near(card.firstUsedAt ?? 0, now), format.name(card.redeemerName ?? "")),
    text:
      batch.kind === "refill"
        ? say.redeemedRefill(format.sum(batch.price, brand.currency))
        : say.redeemedPackage(format.name(batch.packageName ?? "")),
  };
}

function ofUsedUp({ view, card, batch }: Shown): CardVerdict {
  const { card: say } = view.words.cards;
  const { format, now } = view;
  const used = [
    ...(batch.uptimeSeconds === null ? [] : [format.duration(card.usedSeconds)]),
    ...(batch.quotaTotal === 0 ? [] : [format.bytes(card.usedOctets)]),
  ];
  return {
    ...{ tone: "quiet", icon: "history" },
    title: say.usedUpTitle(card.usedUpAt === null ? "" : format.near(card.usedUpAt, now)),
    text: sentences(say.usedUpText(used), say.expiredText),
  };
}

function ofExpired({ view, card, batch }: Shown): CardVerdict {
  const { card: say } = view.words.cards;
  const { format, now } = view;
  const title =
    card.state === "new"
      ? say.expiredNew(format.date(batch.sellBy ?? 0))
      : card.state === "sold"
        ? say.expiredSold(format.date(batch.useBy ?? 0))
        : say.expiredActive(format.near(card.endsAt ?? 0, now));
  const since = card.firstUsedAt === null ? false : say.lasted(format.near(card.firstUsedAt, now));
  return { tone: "quiet", icon: "history", title, text: sentences(since, say.expiredText) };
}

function ofVoid({ view, card, lately }: Shown): CardVerdict {
  const { card: say } = view.words.cards;
  const { format, brand, now } = view;
  const { payment, voiderName } = lately;
  return {
    ...{ tone: "bad", icon: "close" },
    title: say.voidTitle(format.near(card.voidedAt ?? 0, now), format.name(voiderName ?? "")),
    text: sentences(
      say.voidOpens,
      card.voidReason !== null && say.voidText(format.name(card.voidReason)),
      payment !== null &&
        payment.reversedAt !== null &&
        say.voidRefunded(format.sum(payment.amount, payment.currency || brand.currency)),
    ),
  };
}
