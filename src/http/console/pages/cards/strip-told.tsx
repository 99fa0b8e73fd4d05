import type { BatchRecord } from "../../../../domain/service/cards/batch-list.ts";
import { listCards } from "../../../../domain/service/cards/list.ts";
import { paperNumber } from "../../../../domain/service/cards/print.ts";
import { MOST_AT_ONCE } from "../../../../domain/desk/card-sales/sell.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import type { Typed } from "../money/keyed.tsx";
import { isPaid } from "./sells.ts";
import { standingOfCard } from "./stock-bar.tsx";

/** Cards of a batch that are to be sold together, as they were typed. */
export interface StripTold {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** What they cost, in minor units. */
  readonly sum: number;
  /** What is said of it, such that a press sells what was said and nothing else; empty where nothing can be said. */
  readonly mark: string;
  readonly faults: FieldErrors;
}

interface Telling {
  readonly visit: StaffVisit;
  readonly view: ConsoleView;
  readonly batch: BatchRecord;
}

/** Reads `21` and, off the paper, `0117-021`; undefined: no serial of the batch. */
function serialIn({ id, quantity }: BatchRecord, typed: string): number | undefined {
  const [, batch, serial] = /^(?:(\d{1,15})-)?(\d{1,5})$/.exec(typed.trim()) ?? [];
  if (serial === undefined || (batch !== undefined && Number(batch) !== id)) return undefined;
  const number = Number(serial);
  return number >= 1 && number <= quantity ? number : undefined;
}

/** What was typed, with what it comes to. */
export function stripTold({ view, batch }: Omit<Telling, "visit">, typed: Typed): StripTold {
  const { strip: say } = view.words.cards.batch;
  const first = serialIn(batch, typed("from"));
  const last = serialIn(batch, typed("to"));
  const wrong = say.serial(view.format.number(batch.quantity));
  const faults: Record<string, string[]> = {};
  if (first === undefined) faults["from"] = [wrong];
  if (last === undefined) faults["to"] = [wrong];
  if (first === undefined || last === undefined) return { ...nothing, faults };
  if (last < first) return { ...nothing, faults: { to: [say.order] } };
  const count = last - first + 1;
  if (count > MOST_AT_ONCE) {
    const most = paperNumber(batch, first + MOST_AT_ONCE - 1);
    return { ...nothing, faults: { to: [say.most(view.format.number(MOST_AT_ONCE), most)] } };
  }
  return { first, last, count, sum: count * batch.price, mark: `${first}-${last} ${batch.price}`, faults };
}

const nothing = { first: 0, last: 0, count: 0, sum: 0, mark: "" };

/** `0117-021 to 0117-040`. */
export function stripNumbers(
  { view, batch }: Omit<Telling, "visit">,
  { first, last }: Pick<StripTold, "first" | "last">,
) {
  const from = paperNumber(batch, first);
  return first === last ? from : view.words.cards.batch.strip.range(from, paperNumber(batch, last));
}

/** How many are named of those that cannot be sold. */
const NAMED = 3;

/** Which of the cards nobody can sell any more; undefined: each is new. */
function goneOf({ visit: { db, by, now }, view, batch }: Telling, { first, last, count }: StripTold) {
  const range = { batchId: batch.id, fromSerial: first, toSerial: last };
  const left = listCards(db, by, { ...range, standing: "new" }, { limit: 1, offset: 0, now }).total;
  if (left === count) return undefined;
  const { records } = listCards(db, by, range, { limit: MOST_AT_ONCE, offset: 0, now });
  const gone = records.filter(({ standing }) => standing !== "new");
  const { batch: say, standings } = view.words.cards;
  const parts = gone
    .slice(0, NAMED)
    .map((card) => say.strip.goneCard(paperNumber(batch, card.serial), standings[standingOfCard(card)]));
  const more = gone.length - parts.length;
  return say.strip.gone([...parts, ...(more > 0 ? [say.strip.more(view.format.number(more))] : [])]);
}

/** How many cards a press sells and what is taken for them; `isBeside` the fields, which stay as they are. */
export function StripSum({
  told,
  isBeside = false,
  ...telling
}: Telling & { told: StripTold; isBeside?: boolean }) {
  const { visit, view, batch } = telling;
  const { format, brand, words } = view;
  const { strip: say } = words.cards.batch;
  const { count, sum, mark, faults } = told;
  const [fault] = isBeside ? Object.values(faults).flat() : [];
  const gone = mark === "" ? undefined : goneOf(telling, told);
  const isToPay = isPaid(visit.by, batch);
  const each = format.sum(batch.price, brand.currency);
  return (
    <div id="strip-told" class="strip-told" aria-live="polite">
      {mark === "" ? (
        <p class={fault === undefined ? "hint" : "bad-text"}>{fault ?? say.later}</p>
      ) : (
        <>
          <p>
            {say.cards(format.number(count), count === 1)},{" "}
            <span class="mono">{stripNumbers(telling, told)}</span>
          </p>
          {gone === undefined ? (
            <>
              {isToPay && <p class="sell-sum">{format.sum(sum, brand.currency)}</p>}
              <p class="hint">
                {isToPay
                  ? say.each(each, count === 1)
                  : visit.by.scope.salespersonId === null
                    ? say.free
                    : say.reseller}
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
          {pressOf(telling, told, gone === undefined)}
        </span>
      )}
    </div>
  );
}

/** What the button of the form says. */
export function StripPress({ told, ...telling }: Telling & { told: StripTold }) {
  const isNew = told.mark !== "" && goneOf(telling, told) === undefined;
  return <span id="strip-press">{pressOf(telling, told, isNew)}</span>;
}

function pressOf({ visit, view, batch }: Telling, { count, sum, mark }: StripTold, isNew: boolean): string {
  const { strip: say } = view.words.cards.batch;
  if (mark === "" || !isNew) return say.look;
  const cards = say.cards(view.format.number(count), count === 1);
  return isPaid(visit.by, batch)
    ? say.press(view.format.sum(sum, view.brand.currency), cards)
    : say.markPress(cards);
}
