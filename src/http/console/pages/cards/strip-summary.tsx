import type { BatchRecord } from "../../../../domain/service/cards/batch-list.ts";
import { listCards } from "../../../../domain/service/cards/list.ts";
import { printedNumber } from "../../../../domain/service/cards/print.ts";
import { MOST_AT_ONCE } from "../../../../domain/desk/card-sales/sell.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import type { ReadValue } from "../../parts/keyed.tsx";
import { isPaid } from "./sells.ts";
import { cardStanding } from "./stock-bar.tsx";

export interface StripSummary {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Minor units. */
  readonly sum: number;
  /** A digest, so that exactly what was read is sold; empty where nothing can be. */
  readonly mark: string;
  readonly faults: FieldErrors;
}

interface SummaryProps {
  readonly visit: StaffVisit;
  readonly view: ConsoleView;
  readonly batch: BatchRecord;
}

/** Reads `21` and, as printed, `0117-021`; undefined: no serial of the batch. */
function serialIn({ id, quantity }: BatchRecord, text: string): number | undefined {
  const [, batch, serial] = /^(?:(\d{1,15})-)?(\d{1,5})$/.exec(text.trim()) ?? [];
  if (serial === undefined || (batch !== undefined && Number(batch) !== id)) return undefined;
  const number = Number(serial);
  return number >= 1 && number <= quantity ? number : undefined;
}

/** The typed range with its sum. */
export function summarizeStrip(
  { view, batch }: Omit<SummaryProps, "visit">,
  values: ReadValue,
): StripSummary {
  const { strip: phrases } = view.words.cards.batch;
  const first = serialIn(batch, values("from"));
  const last = serialIn(batch, values("to"));
  const wrong = phrases.serial(batch.quantity);
  const faults: Record<string, string[]> = {};
  if (first === undefined) faults["from"] = [wrong];
  if (last === undefined) faults["to"] = [wrong];
  if (first === undefined || last === undefined) return { ...nothing, faults };
  if (last < first) return { ...nothing, faults: { to: [phrases.order] } };
  const count = last - first + 1;
  if (count > MOST_AT_ONCE) {
    const most = printedNumber(batch, first + MOST_AT_ONCE - 1);
    return { ...nothing, faults: { to: [phrases.most(MOST_AT_ONCE, most)] } };
  }
  return { first, last, count, sum: count * batch.price, mark: `${first}-${last} ${batch.price}`, faults };
}

const nothing = { first: 0, last: 0, count: 0, sum: 0, mark: "" };

/** `0117-021 to 0117-040`. */
export function stripNumbers(
  { view, batch }: Omit<SummaryProps, "visit">,
  { first, last }: Pick<StripSummary, "first" | "last">,
) {
  const from = printedNumber(batch, first);
  return first === last ? from : view.words.cards.batch.strip.range(from, printedNumber(batch, last));
}

/** Unsellable cards that are named. */
const NAMED = 3;

/** Cards of it that cannot be sold; undefined: none, or not visible. */
export function describeGone(
  { visit: { db, by, now }, view, batch }: SummaryProps,
  { first, last, count, mark }: StripSummary,
): string | undefined {
  if (mark === "") return undefined;
  const range = { batchId: batch.id, fromSerial: first, toSerial: last };
  const left = listCards(db, by, { ...range, standing: "new" }, { limit: 1, offset: 0, now }).total;
  if (left === count) return undefined;
  const { records } = listCards(db, by, range, { limit: MOST_AT_ONCE, offset: 0, now });
  const gone = records.filter(({ standing }) => standing !== "new");
  const { batch: phrases, standings } = view.words.cards;
  const parts = gone
    .slice(0, NAMED)
    .map((card) => phrases.strip.goneCard(printedNumber(batch, card.serial), standings[cardStanding(card)]));
  const more = gone.length - parts.length;
  return phrases.strip.gone([...parts, ...(more > 0 ? [phrases.strip.more(more)] : [])]);
}

/** Number and price; `isBeside`: an update in place. */
export function StripSum({
  summary,
  gone,
  isBeside = false,
  ...telling
}: SummaryProps & { summary: StripSummary; gone: string | undefined; isBeside?: boolean }) {
  const { visit, view, batch } = telling;
  const { format, brand, words } = view;
  const { strip: phrases } = words.cards.batch;
  const { count, sum, mark, faults } = summary;
  const [fault] = isBeside ? Object.values(faults).flat() : [];
  const isToPay = isPaid(visit.by, batch);
  const each = format.sum(batch.price, brand.currency);
  return (
    <div id="strip-told" class="stack close" aria-live="polite">
      {mark === "" ? (
        <p class={fault === undefined ? "hint" : "bad-text"}>{fault ?? phrases.later}</p>
      ) : (
        <>
          <p>
            {phrases.cards(count)}, <span class="mono">{stripNumbers(telling, summary)}</span>
          </p>
          {gone === undefined ? (
            <>
              {isToPay && <p class="sell-sum">{format.sum(sum, brand.currency)}</p>}
              <p class="hint">
                {isToPay
                  ? phrases.each(each, count === 1)
                  : visit.by.scope.salespersonId === null
                    ? phrases.free
                    : phrases.reseller}
              </p>
              <input type="hidden" name="told" value={mark} />
            </>
          ) : (
            <p class="bad-text">{gone}</p>
          )}
        </>
      )}
      {isBeside && (
        <span id="strip-press" hx-swap-oob="true">
          {pressLabel(telling, summary, gone === undefined)}
        </span>
      )}
    </div>
  );
}

/** The button's label. */
export function StripPress({
  summary,
  gone,
  ...telling
}: SummaryProps & { summary: StripSummary; gone: string | undefined }) {
  return <span id="strip-press">{pressLabel(telling, summary, gone === undefined)}</span>;
}

function pressLabel(
  { visit, view, batch }: SummaryProps,
  { count, sum, mark }: StripSummary,
  isNew: boolean,
): string {
  const { strip: phrases } = view.words.cards.batch;
  if (mark === "" || !isNew) return phrases.look;
  const cards = phrases.cards(count);
  return isPaid(visit.by, batch)
    ? phrases.press(view.format.sum(sum, view.brand.currency), cards)
    : phrases.markPress(cards);
}
