import type { CardFilters, CardRow } from "../../../../domain/service/cards/list.ts";
import type { BatchRecord } from "../../../../domain/service/cards/batch-list.ts";
import type { CardBatch, CardStanding } from "../../../../domain/service/cards/standing.ts";
import type { ConsoleView } from "../../view.ts";

/** States in the order of a card's life; ended ones as unsold, unused or used. */
export const stockNames = ["new", "sold", "active", "used_up", "unsold", "unused", "ended", "void"] as const;
export type StockName = (typeof stockNames)[number];

const stateByStock = { unsold: "new", unused: "sold", ended: "active" } as const;

/** The filter of such cards. */
export function stockFilter(name: StockName): Pick<CardFilters, "standing" | "state"> {
  return name === "unsold" || name === "unused" || name === "ended"
    ? { standing: "expired", state: stateByStock[name] }
    : { standing: name };
}

/** Their number in a batch. */
export function countIn({ counts, unsold, unused }: Counted, name: StockName): number {
  if (name === "unsold") return unsold;
  if (name === "unused") return unused;
  return name === "ended" ? counts.expired - unsold - unused : counts[name];
}

/** Refills are called redeemed in place of active. */
export function nameIn({ kind }: Pick<CardBatch, "kind">, name: StockName): StockName | "redeemed" {
  return name === "active" && kind !== "access" ? "redeemed" : name;
}

/** Names of used cards differ from those of unsold ones. */
export type StandingName = CardStanding | "redeemed" | "ended";

export function cardStanding({
  standing,
  kind,
  state,
}: Pick<CardRow, "standing" | "kind" | "state">): StandingName {
  if (standing === "active" && kind !== "access") return "redeemed";
  return standing === "expired" && state === "active" ? "ended" : standing;
}

type Counted = Pick<BatchRecord, "counts" | "unsold" | "unused">;

interface StockProps {
  view: ConsoleView;
  batch: Counted & Pick<BatchRecord, "kind">;
  href: (name: StockName) => string;
}

/** A bar of the batch, and figures that link to its cards. */
export function Stock({ view: { words }, batch, href }: StockProps) {
  const phrases = words.cards;
  const context = stockNames.filter((name) => countIn(batch, name) > 0);
  const total = context.reduce((sum, name) => sum + countIn(batch, name), 0);
  const parts = context.map((name) =>
    phrases.stockCount(countIn(batch, name), phrases.standings[nameIn(batch, name)]),
  );
  let from = 0;
  return (
    <div class="stock">
      <svg
        class="stock-bar"
        viewBox="0 0 1000 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={phrases.stock(parts)}
      >
        {context.map((name) => {
          const width = (countIn(batch, name) / total) * 1000;
          const x = from;
          from += width;
          return (
            <rect class={`of-${nameIn(batch, name)}`} x={x.toFixed(1)} width={width.toFixed(1)} height="8" />
          );
        })}
      </svg>
      <ul>
        {context.map((name, index) => (
          <li>
            <svg width="8" height="8" aria-hidden="true">
              <rect class={`of-${nameIn(batch, name)}`} width="8" height="8" rx="2" />
            </svg>
            <a href={href(name)}>{parts[index]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
