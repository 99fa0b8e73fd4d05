import { type BatchRecord, cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { listCards } from "../../../../domain/service/cards/list.ts";
import { paperBatch } from "../../../../domain/service/cards/print.ts";
import { requireSellingStrip, sellCards, type SoldCard } from "../../../../domain/desk/card-sales/sell.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { type Input, readFields } from "../../../../domain/core/fields/fields.ts";
import { may, requireFlag } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { drawer, part, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { doOnce, KeyedForm, type Refusal, refusedDrawer, type Typed, typedIn } from "../money/keyed.tsx";
import { givesOf } from "./gives.ts";
import { viewOf } from "./of-isp.ts";
import { batchHref, batchIdOf } from "./paths.ts";
import { HowPaid, saleFields } from "./sell.tsx";
import { isPaid } from "./sells.ts";
import { type StripTold, stripNumbers, StripPress, StripSum, stripTold } from "./strip-told.tsx";

const PATH = "/console/cards/batches/sell";

interface Selling {
  readonly visit: StaffVisit;
  readonly view: ConsoleView;
  readonly batch: BatchRecord;
}

function sellingOf(visit: StaffVisit): Selling {
  requireFlag(visit.by, "card_sell");
  const batch = cardBatchById(visit.db, visit.by, batchIdOf(visit), { now: visit.now });
  return { visit, batch, view: viewOf(visit, batch.ispId) };
}

/** Which cards of a batch, how many that are, and what they cost; at first the next one that nobody has bought. */
export function askStrip(visit: StaffVisit): Response {
  const selling = sellingOf(visit);
  const { db, by, now, query } = visit;
  const next = listCards(
    ...([db, by, { batchId: selling.batch.id, standing: "new" }, { limit: 1, offset: 0, now }] as const),
  ).records[0]?.serial;
  const from = query.get("from") ?? String(next ?? "");
  const asked: Input = { from, to: query.get("to") ?? from };
  return drawer(visit, stripDrawer(selling, typedIn(asked), undefined));
}

function stripDrawer(selling: Selling, typed: Typed, refusal: Refusal | undefined) {
  const { visit, view, batch } = selling;
  const { strip: say } = view.words.cards.batch;
  const told = stripTold(selling, typed);
  const isLeft = batch.counts.new > 0;
  return {
    title: say.title(paperBatch(batch)),
    lead: givesOf(view, batch).join(", "),
    place: "cards" as const,
    back: batchHref(batch.id),
    children: (
      <KeyedForm
        visit={visit}
        action={`${batchHref(batch.id)}/sell`}
        typed={typed}
        refusal={refusal}
        leaves={!visit.isPart} // what is told while one types is found by its name
        foot={
          <Button kind="solid" size="large" disabled={!isLeft}>
            {isLeft ? <StripPress {...selling} told={told} /> : say.look}
          </Button>
        }
      >
        {isLeft ? (
          <>
            <Serials selling={selling} typed={typed} faults={refusal?.faults ?? {}} />
            <StripSum {...selling} told={told} />
            {isPaid(visit.by, batch) && (
              <HowPaid visit={visit} shown={selling} typed={typed} refusal={refusal} />
            )}
          </>
        ) : (
          <p>{say.none}</p>
        )}
      </KeyedForm>
    ),
  };
}

/** From which to which; while they are typed, the sum follows. */
function Serials({
  selling: { view, batch },
  typed,
  faults,
}: {
  selling: Selling;
  typed: Typed;
  faults: FieldErrors;
}) {
  const { strip: say } = view.words.cards.batch;
  const attributes = { inputmode: "numeric", autocomplete: "off", maxlength: 20, class: "mono" } as const;
  return (
    <div
      class="strip-serials"
      hx-post={`${batchHref(batch.id)}/sell/told`}
      hx-trigger="input delay:200ms"
      hx-include="closest form"
      hx-target="#strip-told"
      hx-swap="outerMorph"
      hx-sync="this:replace"
    >
      <Field
        name="from"
        label={say.from}
        value={typed("from")}
        fault={faults["from"]?.[0]}
        required
        attributes={attributes}
      />
      <Field
        name="to"
        label={say.to}
        value={typed("to")}
        fault={faults["to"]?.[0]}
        required
        attributes={{ ...attributes, autofocus: true }}
      />
    </div>
  );
}

/** What the serials that are typed come to. */
export function tellStrip(visit: StaffVisit, input: Input): Response {
  const selling = sellingOf(visit);
  return part(visit, <StripSum {...selling} told={stripTold(selling, typedIn(input))} isBeside />);
}

/** Sells them once for the key of the form, and no others than those whose sum was said before. */
export async function sellStrip(visit: StaffVisit, input: Input): Promise<Response> {
  const { by, now } = visit;
  const selling = sellingOf(visit);
  const { view, batch } = selling;
  const { strip: say } = view.words.cards.batch;
  const told = stripTold(selling, typedIn(input));
  // what follows is another press
  const { key: _, ...kept } = input;
  const again = (refusal: Refusal) => stripDrawer(sellingOf(visit), typedIn(kept), refusal);
  if (told.mark === "" || told.mark !== input["told"]) {
    const refusal = { problem: told.mark === "" ? say.lookAtFields : say.lookAtSum, faults: told.faults };
    return drawer(visit, { ...again(refusal), status: visit.isPart ? 200 : 422 });
  }
  const strip = { batchId: batch.id, first: told.first, last: told.last };
  const done = await doOnce(visit, PATH, { ...input, id: batch.id }, (tx) => {
    requireSellingStrip(tx, by, strip, { now });
    return () => {
      const faults: FieldErrors = {};
      const values = readFields(saleFields, input, faults);
      if (Object.keys(faults).length > 0)
        throw new DomainError("invalid", "look at the fields", { fields: faults });
      return takenFor(sellCards(tx, by, { ...values, ...strip }, { now }));
    };
  });
  if (done instanceof DomainError) return refusedDrawer(visit, done, again);
  return said(visit, doneWords(selling, told, done), batchHref(batch.id));
}

interface Taken {
  readonly sum: number;
  readonly currency: string;
  readonly receipts: readonly [first: string, last: string];
}

/** null: no money is the ISP's. */
function takenFor(sold: readonly SoldCard[]): Taken | null {
  const payments = sold.flatMap(({ payment }) => payment ?? []);
  const [first, last] = [payments[0], payments.at(-1)];
  if (!first || !last) return null;
  const sum = payments.reduce((all, { amount }) => all + amount, 0);
  return { sum, currency: first.currency, receipts: [first.number, last.number] };
}

function doneWords(selling: Selling, told: StripTold, taken: Taken | null) {
  const { visit, view, batch } = selling;
  const { strip: say } = view.words.cards.batch;
  const cards = say.cards(view.format.number(told.count), told.count === 1);
  const numbers = stripNumbers(selling, told);
  if (taken === null)
    return { kind: "good", title: say.marked(cards, told.count === 1), text: `${numbers}.` } as const;
  const paper = new URLSearchParams({ from: String(told.first), to: String(told.last), paper: "roll" });
  return {
    kind: "good",
    title: say.done(cards, view.format.sum(taken.sum, taken.currency), told.count === 1),
    text: say.receipts(numbers, ...taken.receipts),
    ...(may(visit.by, "payment_view") && {
      links: [{ href: `${batchHref(batch.id)}/receipt?${paper}`, label: view.words.cards.card.printReceipt }],
    }),
  } as const;
}
