import type { CardRow } from "../../../../domain/cards/list.ts";
import type { BatchRecord } from "../../../../domain/cards/batch-list.ts";
import type { CardBatch, CardStanding } from "../../../../domain/cards/standing.ts";
import type { Seconds } from "../../../../domain/time.ts";
import type { ConsoleView } from "../../view.ts";

/** In the order of a card's life. */
export const standings: readonly CardStanding[] = ["new", "sold", "active", "used_up", "expired", "void"];

/** The word of a standing, which says of cards that were used what else it would say of those that nobody bought. */
export type StandingName = CardStanding | "redeemed" | "ended";

interface Stands {
  readonly standing: CardStanding;
  readonly kind: CardBatch["kind"];
  /** Whether its time was over after it was used; else it was not sold or used by its day. */
  readonly isUsed: boolean;
}

/** A refill is not active but redeemed, and an hour that is over was no loss. */
function standingName({ standing, kind, isUsed }: Stands): StandingName {
  if (standing === "active" && kind !== "access") return "redeemed";
  return standing === "expired" && isUsed ? "ended" : standing;
}

/** The same of one card. */
export function standingOfCard({
  standing,
  kind,
  state,
}: Pick<CardRow, "standing" | "kind" | "state">): StandingName {
  return standingName({ standing, kind, isUsed: state === "active" });
}

/** The same for all cards of a batch that stand so. */
export function standingInBatch(
  standing: CardStanding,
  { kind, sellBy, useBy }: Pick<CardBatch, "kind" | "sellBy" | "useBy">,
  now: Seconds,
): StandingName {
  const isOver = (day: Seconds | null) => day !== null && day <= now;
  return standingName({ standing, kind, isUsed: !isOver(sellBy) && !isOver(useBy) });
}

interface StockProps {
  view: ConsoleView;
  batch: Pick<BatchRecord, "kind" | "sellBy" | "useBy" | "counts">;
  /** The page of the cards that stand so. */
  href: (standing: CardStanding) => string;
}

/** How the cards of a batch stand: a bar, and the same in figures that lead to the cards. */
export function Stock({ view: { words, format, now }, batch, href }: StockProps) {
  const say = words.cards;
  const { counts } = batch;
  const nameOf = (standing: CardStanding) => standingInBatch(standing, batch, now);
  const shown = standings.filter((standing) => counts[standing] > 0);
  const total = shown.reduce((sum, standing) => sum + counts[standing], 0);
  const parts = shown.map((standing) =>
    say.stockCount(format.number(counts[standing]), say.standings[nameOf(standing)]),
  );
  let from = 0;
  return (
    <div class="stock">
      <svg
        class="stock-bar"
        viewBox="0 0 1000 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={say.stock(parts)}
      >
        {shown.map((standing) => {
          const width = (counts[standing] / total) * 1000;
          const x = from;
          from += width;
          return (
            <rect class={`of-${nameOf(standing)}`} x={x.toFixed(1)} width={width.toFixed(1)} height="8" />
          );
        })}
      </svg>
      <ul class="stock-figures">
        {shown.map((standing, index) => (
          <li>
            <span class={`stock-key of-${nameOf(standing)}`} aria-hidden="true" />
            <a href={href(standing)}>{parts[index]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
