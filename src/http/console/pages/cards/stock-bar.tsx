import type { StandingCounts } from "../../../../domain/cards/batch-list.ts";
import type { CardStanding } from "../../../../domain/cards/standing.ts";
import type { ConsoleView } from "../../view.ts";

/** In the order of a card's life. */
export const standings: readonly CardStanding[] = ["new", "sold", "active", "used_up", "expired", "void"];

interface StockProps {
  view: ConsoleView;
  counts: StandingCounts;
  /** The page of the cards that stand so. */
  href: (standing: CardStanding) => string;
}

/** How the cards of a batch stand: a bar, and the same in figures that lead to the cards. */
export function Stock({ view: { words, format }, counts, href }: StockProps) {
  const say = words.cards;
  const shown = standings.filter((standing) => counts[standing] > 0);
  const total = shown.reduce((sum, standing) => sum + counts[standing], 0);
  const parts = shown.map((standing) =>
    say.stockCount(format.number(counts[standing]), say.standings[standing]),
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
          return <rect class={`of-${standing}`} x={x.toFixed(1)} width={width.toFixed(1)} height="8" />;
        })}
      </svg>
      <ul class="stock-figures">
        {shown.map((standing, index) => (
          <li>
            <span class={`stock-key of-${standing}`} aria-hidden="true" />
            <a href={href(standing)}>{parts[index]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
