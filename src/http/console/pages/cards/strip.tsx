import { type BatchRecord, cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { listCards } from "../../../../domain/service/cards/list.ts";
import { printedBatch } from "../../../../domain/service/cards/print.ts";
import { requireSellingStrip, sellCards, type SoldCard } from "../../../../domain/desk/card-sales/sell.ts";
import { DomainError, type Faults, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type Input, readFields } from "../../../../domain/core/fields/fields.ts";
import { may, requireFlag } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { drawer, part, flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { doOnce } from "../../parts/once.tsx";
import { KeyedForm, type Refusal, refusedDrawer, type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { describeGives } from "../../parts/card-gives.ts";
import { ispView } from "../../parts/isp-view.ts";
import { readBatchId } from "./paths.ts";
import { batchHref } from "../../parts/hrefs.ts";
import { HowPaid, saleFields } from "./sell.tsx";
import { isPaid } from "./sells.ts";
import {
  describeGone,
  type StripSummary,
  stripNumbers,
  StripPress,
  StripSum,
  summarizeStrip,
} from "./strip-summary.tsx";

const PATH = "/console/cards/batches/sell";

interface Selling {
  readonly visit: StaffVisit;
  readonly view: ConsoleView;
  readonly batch: BatchRecord;
}

function readSelling(visit: StaffVisit): Selling {
  requireFlag(visit.by, "card_sell");
  const batch = cardBatchById(visit.db, visit.by, readBatchId(visit), { now: visit.now });
  return { visit, batch, view: ispView(visit, batch.ispId) };
}

/** The range starts at the next unsold card. */
export function askStrip(visit: StaffVisit): Response {
  const selling = readSelling(visit);
  const { db, by, now, query } = visit;
  const next = listCards(
    ...([db, by, { batchId: selling.batch.id, standing: "new" }, { limit: 1, offset: 0, now }] as const),
  ).records[0]?.serial;
  const from = query.get("from") ?? String(next ?? "");
  const input: Input = { from, to: query.get("to") ?? from };
  return drawer(visit, stripDrawer(selling, valuesIn(input), undefined));
}

function stripDrawer(selling: Selling, values: ReadValue, refusal: Refusal | undefined) {
  const { visit, view, batch } = selling;
  const { strip: phrases } = view.words.cards.batch;
  const summary = summarizeStrip(selling, values);
  const gone = describeGone(selling, summary);
  const isLeft = batch.counts.new > 0;
  return {
    title: phrases.title(printedBatch(batch)),
    lead: describeGives(view, batch).join(view.words.list.comma),
    place: "cards" as const,
    back: batchHref(batch.id),
    children: (
      <KeyedForm
        visit={visit}
        action={`${batchHref(batch.id)}/sell`}
        values={values}
        refusal={refusal}
        leaves={!visit.isPart} // what is told while one types is found by its name
        foot={
          <Button kind="solid" size="large" disabled={!isLeft}>
            {isLeft ? <StripPress {...selling} summary={summary} gone={gone} /> : phrases.look}
          </Button>
        }
      >
        {isLeft ? (
          <>
            <Serials selling={selling} values={values} faults={refusal?.faults ?? {}} />
            <StripSum {...selling} summary={summary} gone={gone} />
            {isPaid(visit.by, batch) && (
              <HowPaid visit={visit} context={selling} values={values} refusal={refusal} />
            )}
          </>
        ) : (
          <p>{phrases.none}</p>
        )}
      </KeyedForm>
    ),
  };
}

function Serials({
  selling: { view, batch },
  values,
  faults,
}: {
  selling: Selling;
  values: ReadValue;
  faults: FieldErrors;
}) {
  const { strip: phrases } = view.words.cards.batch;
  const attributes = { inputmode: "numeric", autocomplete: "off", maxlength: 20, class: "mono" } as const;
  return (
    <div
      class="fields"
      hx-post={`${batchHref(batch.id)}/sell/told`}
      hx-trigger="input delay:200ms"
      hx-include="closest form"
      hx-target="#strip-told"
      hx-swap="outerMorph"
      hx-sync="this:replace"
    >
      <Field
        name="from"
        label={phrases.from}
        value={values("from")}
        fault={faults["from"]?.[0]}
        required
        attributes={attributes}
      />
      <Field
        name="to"
        label={phrases.to}
        value={values("to")}
        fault={faults["to"]?.[0]}
        required
        attributes={{ ...attributes, autofocus: true }}
      />
    </div>
  );
}

export function tellStrip(visit: StaffVisit, input: Input): Response {
  const selling = readSelling(visit);
  const summary = summarizeStrip(selling, valuesIn(input));
  return part(
    visit,
    <StripSum {...selling} summary={summary} gone={describeGone(selling, summary)} isBeside />,
  );
}

/** Sells once for the form's key, and exactly the cards whose sum was shown. */
export async function sellStrip(visit: StaffVisit, input: Input): Promise<Response> {
  const { by, now } = visit;
  const selling = readSelling(visit);
  const { view, batch } = selling;
  const { strip: phrases } = view.words.cards.batch;
  const summary = summarizeStrip(selling, valuesIn(input));
  // the next one needs a key of its own
  const { key: _, ...kept } = input;
  const again = (refusal: Refusal) => stripDrawer(readSelling(visit), valuesIn(kept), refusal);
  if (summary.mark === "" || summary.mark !== input["told"]) {
    const refusal = {
      problem: summary.mark === "" ? phrases.lookAtFields : phrases.lookAtSum,
      faults: summary.faults,
    };
    return drawer(visit, { ...again(refusal), status: visit.isPart ? 200 : 422 });
  }
  const strip = { batchId: batch.id, first: summary.first, last: summary.last };
  const done = await doOnce(visit, PATH, { ...input, id: batch.id }, (tx) => {
    requireSellingStrip(tx, by, strip, { now });
    return () => {
      const faults: Faults = {};
      const values = readFields(saleFields, input, faults);
      if (Object.keys(faults).length > 0)
        throw new DomainError("invalid", phrase`look at the fields`, { fields: faults });
      return takenFor(sellCards(tx, by, { ...values, ...strip }, { now }));
    };
  });
  if (done instanceof DomainError) return refusedDrawer(visit, done, again);
  return flash(visit, doneWords(selling, summary, done), batchHref(batch.id));
}

interface SoldStrip {
  readonly sum: number;
  readonly currency: string;
  readonly receipts: readonly [first: string, last: string];
}

/** What was taken for cards; null: the ISP gets no money. */
function takenFor(sold: readonly SoldCard[]): SoldStrip | null {
  const payments = sold.flatMap(({ payment }) => payment ?? []);
  const [first, last] = [payments[0], payments.at(-1)];
  if (!first || !last) return null;
  const sum = payments.reduce((all, { amount }) => all + amount, 0);
  return { sum, currency: first.currency, receipts: [first.number, last.number] };
}

function doneWords(selling: Selling, summary: StripSummary, taken: SoldStrip | null) {
  const { visit, view, batch } = selling;
  const { strip: phrases } = view.words.cards.batch;
  const cards = phrases.cards(summary.count);
  const numbers = stripNumbers(selling, summary);
  if (taken === null)
    return { kind: "good", title: phrases.marked(cards, summary.count === 1), text: `${numbers}.` } as const;
  const printed = new URLSearchParams({
    from: String(summary.first),
    to: String(summary.last),
    paper: "roll",
  });
  return {
    kind: "good",
    title: phrases.done(cards, view.format.sum(taken.sum, taken.currency), summary.count === 1),
    text: phrases.receipts(numbers, ...taken.receipts),
    ...(may(visit.by, "payment_view") && {
      links: [
        { href: `${batchHref(batch.id)}/receipt?${printed}`, label: view.words.cards.card.printReceipt },
      ],
    }),
  } as const;
}
